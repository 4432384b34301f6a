-- require_webhook_sender() -> nothing; raises GL014 unless this session delivers (gapless.webhook_sends)
--
-- So no other session of the service's role can learn secrets or move a cursor while an instance delivers.
-- The owner, who can read the secrets, needs no lock.
create or replace function gapless.require_webhook_sender() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if not gapless.webhook_sends() and gapless.acts_as_owner() is not true then
        raise exception 'another instance delivers by now' using errcode = 'GL014';
    end if;
end;
$$;
