-- series_blocker(p_series_id) -> the sessions that have locked the series' counter or tally, oldest
-- transaction first
--
-- For the service, which never waits for these rows and so stands in no lock queue: the rows themselves name
-- the transaction. No row if nobody holds them any more. waits_for_standby: its COMMIT waits for a
-- synchronous standby. This and `since` are null if the owner of the schema may not see them
-- (pg_read_all_stats). Takes no lock.
create or replace function gapless.series_blocker(p_series_id integer)
returns table (pid integer, role text, application text, since timestamptz, waits_for_standby boolean)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set jit = off -- see health_checks
as $$
declare
    v_next    bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    v_marks   xid[];
    v_holders xid[];
    v_mark    xid;
begin
    select array_agg(m.mark) into v_marks
    from (
        select c.xmax as mark from gapless.counter c where c.series_id = p_series_id and c.xmax <> '0'
        union
        select t.xmax from gapless.tally t where t.series_id = p_series_id and t.xmax <> '0'
    ) m;
    v_holders := v_marks;
    -- If several transactions have locked the row, its xmax is a multixact. Nothing tells an xid from a
    -- multixact: look up both.
    foreach v_mark in array coalesce(v_marks, '{}') loop
        begin
            v_holders := v_holders || (select array_agg(m.xid) from pg_get_multixact_members(v_mark) m);
        exception
            when others then null; -- not a multixact
        end;
    end loop;
    return query
        select l.pid, a.usename::text, a.application_name, a.xact_start, a.wait_event = 'SyncRep'
        from pg_locks l
        join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock'
          and l.transactionid = any(v_holders)
          and l.pid <> pg_backend_pid()
        order by a.xact_start, l.pid;
    if found then
        return;
    end if;

    -- A finished subtransaction, such as that of gapless.issue, has no lock of its own any more. Its xid
    -- follows that of its transaction: of those with a lock on gapless.counter, that is the one with the
    -- nearest lower xid.
    return query
        select l.pid, a.usename::text, a.application_name, a.xact_start, a.wait_event = 'SyncRep'
        from unnest(v_holders) as h (mark)
        cross join lateral (select v_next - (v_next - h.mark::text::bigint) % 4294967296 as id) w
        join pg_locks l on l.locktype = 'transactionid' and l.granted and l.mode = 'ExclusiveLock'
            and age(l.transactionid) >= age(h.mark)
        join pg_locks r on r.pid = l.pid and r.locktype = 'relation'
            and r.relation = 'gapless.counter'::regclass and r.granted
                       and r.database = (select d.oid from pg_database d where d.datname = current_database())
                       and r.mode in ('RowShareLock', 'RowExclusiveLock')
        join pg_stat_activity a on a.pid = l.pid
        where l.pid <> pg_backend_pid() and w.id > 0 and pg_xact_status(w.id::text::xid8) = 'in progress'
        order by age(l.transactionid)
        limit 1;
end;
$$;
