-- epoch_state() -> one row: the present epoch, what database it was opened for, what database this is, and
-- what is wrong
--
-- trouble: null, or why nothing may be issued (GL019). movable: nothing is wrong but the timeline, as after a
-- failover; who can prove that no number is missing may go on through gapless.epoch_follow. A dump restored
-- elsewhere has another system identifier, a promoted standby or a restored backup another timeline, a clone
-- that was started beside the original another place. A dump restored beside the original, or createdb
-- --template, differs in the database's oid alone. A copy of the data directory that was put back has none of
-- them: only a mark outside the database tells (gapless.fence_raise). database_id is the same in all copies.
create or replace function gapless.epoch_state()
returns table (
    epoch integer, database_id uuid, database_oid oid,
    system_identifier bigint, timeline text, place text, opened_system_identifier bigint,
    opened_timeline text, opened_place text, opened_database_oid oid, opened_at timestamptz, opened_by text,
    reason text, trouble text, movable boolean
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.epoch, e.database_id, n.database_oid, n.system_identifier, n.timeline, n.place,
           e.system_identifier, e.timeline, e.place, e.database_oid, e.opened_at, e.opened_by, e.reason,
           case
           when f.reason is not null then f.reason
           when n.system_identifier <> e.system_identifier then format(
               'epoch %s was opened on database system %s, this is system %s: a copy or a restored dump',
               e.epoch, e.system_identifier, n.system_identifier)
           when n.database_oid <> e.database_oid then format(
               'epoch %s was opened for the database with the oid %s of this server, this one has the oid '
               '%s: a copy or a restored dump',
               e.epoch, e.database_oid, n.database_oid)
           when n.timeline <> e.timeline then format(
               'epoch %s was opened on timeline %s, this is timeline %s: a failover or a restored backup',
               e.epoch, e.timeline, n.timeline)
           when n.place <> e.place then format(
               'epoch %s was opened for the data directory %s, this is %s: a clone, or it was moved', e.epoch,
               e.place, n.place)
           end,
           f.reason is null and n.system_identifier = e.system_identifier and n.database_oid = e.database_oid
               and n.timeline > e.timeline
    from (select * from gapless.epoch order by epoch desc limit 1) e
    cross join (
        select (select d.oid from pg_database d where d.datname = current_database()), c.system_identifier,
               case
                   when pg_is_in_recovery() then lpad(upper(to_hex(k.timeline_id)), 8, '0')
                   else left(pg_walfile_name(pg_current_wal_lsn()), 8)
                   end,
               (select p.setting from pg_settings p where p.name = 'data_directory')
        from pg_control_system() c, pg_control_checkpoint() k
    ) n (database_oid, system_identifier, timeline, place)
    left join lateral (
        select f.reason from gapless.fence f where f.epoch = e.epoch order by f.fence_id limit 1
    ) f on true;
$$;
