-- webhook_sends() -> whether this session is the one that delivers
--
-- That session holds the advisory lock 28279 ("nw" in ASCII).
create or replace function gapless.webhook_sends() returns boolean
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select
        from pg_locks l
        where l.locktype = 'advisory' and l.classid = 28279 and l.objid = 0 and l.objsubid = 2
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock' and l.granted
    );
$$;
