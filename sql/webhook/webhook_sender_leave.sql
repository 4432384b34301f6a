-- webhook_sender_leave(p_term) -> nothing; the session delivers no more, and another one may at once
--
-- Nothing happens when it is another session's term (gapless.webhook_sends).
create or replace function gapless.webhook_sender_leave(p_term bigint) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    update gapless.webhook_sender s set seen_at = '-infinity'
    where s.term = p_term and gapless.webhook_sends(p_term);
    if found then
        perform pg_advisory_unlock(28279, p_term::integer);
    end if;
end;
$$;
