-- webhook_sender_take() -> whether this session delivers from now on; false: another one does
--
-- One session at a time, over all instances: it holds an advisory lock, so its end shows at once, whatever
-- it died of. PostgreSQL ends it when it asks nothing for 30 seconds, so a frozen program holds the lock no
-- longer. Repeatable. False on a standby. To be called by a session that does nothing else.
create or replace function gapless.webhook_sender_take() returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('transaction_read_only') = 'on' then
        return false;
    end if;
    if not pg_try_advisory_lock(28279, 0) then -- who holds it gets it again
        return false;
    end if;
    perform set_config('idle_session_timeout', '30s', false);
    return true;
end;
$$;
