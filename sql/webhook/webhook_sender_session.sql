-- webhook_sender_session(p_term) -> the process of the session that delivers in that term; null: none does
--
-- It holds the advisory lock of the term (28279: "nw" in ASCII); one that waits for it does not.
create or replace function gapless.webhook_sender_session(p_term bigint) returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
    select l.pid
    from pg_locks l
    where l.locktype = 'advisory' and l.classid = 28279 and l.objid::bigint = p_term and l.objsubid = 2
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and l.mode = 'ExclusiveLock' and l.granted;
$$;
