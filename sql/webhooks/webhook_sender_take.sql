-- webhook_sender_take() -> whether this session is now the one that delivers; false: another one is
--
-- One session at a time, across all instances: it holds an advisory lock, which is released as soon as it
-- ends, for whatever reason. PostgreSQL ends it after 30 idle seconds, so that a frozen program does not keep
-- the lock. Repeatable. False on a standby. Raises GL014 if the session that holds the lock is no instance:
-- anybody who may connect can take it. The session must do nothing else.
create or replace function gapless.webhook_sender_take() returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_other record;
begin
    if current_setting('transaction_read_only') = 'on' then
        return false;
    end if;
    if not pg_try_advisory_lock(28279, 0) then -- the holder gets it again
        select a.usename, a.pid into v_other
        from pg_locks l
        join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.classid = 28279 and l.objid = 0 and l.objsubid = 2 and l.granted
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and not pg_has_role(a.usesysid, 'gapless_service', 'member');
        if found then
            raise exception 'role %, which is not of gapless, holds the lock of the instance that delivers '
                            '(pid %): end its session, and take its right to connect',
                quote_literal(v_other.usename), v_other.pid
                using errcode = 'GL014';
        end if;
        return false;
    end if;
    perform set_config('idle_session_timeout', '30s', false);
    return true;
end;
$$;
