-- webhook_sender_take() -> whether this session is now the one that delivers; false: another one is
--
-- One session at a time, across all instances: it holds an advisory lock, which is released as soon as it
-- ends, for whatever reason. PostgreSQL ends it after 30 idle seconds, so that a frozen program does not keep
-- the lock. Repeatable. False on a standby. The session must do nothing else.
create or replace function gapless.webhook_sender_take() returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('transaction_read_only') = 'on' then
        return false;
    end if;
    if not pg_try_advisory_lock(28279, 0) then -- the holder gets it again
        return false;
    end if;
    perform set_config('idle_session_timeout', '30s', false);
    return true;
end;
$$;
