-- webhook_sends(p_term) -> whether this session is the sender of webhooks, in that term
--
-- It holds the lock of the term (gapless.webhook_sender_session); the owner, who can read the secrets, needs
-- none. So another session of the service's role neither learns secrets nor settles deliveries while an
-- instance delivers.
create or replace function gapless.webhook_sends(p_term bigint) returns boolean
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
    select exists (select from gapless.webhook_sender s where s.term = p_term)
        and (gapless.webhook_sender_session(p_term) = pg_backend_pid() or gapless.acts_as_owner()) is true;
$$;
