-- epoch_state() -> one row: the present epoch, the database it was opened for, this database, and what is
-- wrong
--
-- trouble: null, or why nothing may be issued (GL019). movable: only the timeline is wrong, as after a
-- failover; an instance that can prove that no number is missing may continue through gapless.epoch_follow. A
-- dump restored elsewhere has another system identifier, a promoted standby or a restored backup another
-- timeline, a clone started beside the original another place. A dump restored beside the original, or
-- createdb --template, differs in the database's oid; one restored into the same database in the oids of the
-- tables (VACUUM FULL, CLUSTER, pg_repack and pg_upgrade keep them). During such a restore the epoch, its
-- oids or the guards are missing: that is trouble, too. A data directory put back from a copy, or rows put
-- back into the same tables, do not show here: only a mark outside the database reveals them
-- (gapless.fence_raise). epoch is 0 if there is none. database_id is the same in all copies.
--
-- In plpgsql, which keeps the plan for the session.
create or replace function gapless.epoch_state()
returns table (
    epoch integer, database_id uuid, database_oid oid,
    system_identifier bigint, timeline text, place text, opened_system_identifier bigint,
    opened_timeline text, opened_place text, opened_database_oid oid, opened_at timestamptz, opened_by text,
    reason text, trouble text, movable boolean, ledger_oid oid, counter_oid oid
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
        select coalesce(e.epoch, 0), e.database_id, n.database_oid, n.system_identifier, n.timeline, n.place,
               e.system_identifier, e.timeline, e.place, e.database_oid, e.opened_at, e.opened_by, e.reason,
               case
               when e.epoch is null then
                   'the database has no epoch: it is being restored, or was restored in part'
               when f.reason is not null then f.reason
               when n.system_identifier is distinct from e.system_identifier then format(
                   'epoch %s was opened on database system %s, this is system %s: a copy or a restored dump',
                   e.epoch, e.system_identifier, n.system_identifier)
               when n.database_oid is distinct from e.database_oid then format(
                   'epoch %s was opened for the database with the oid %s of this server, this one has the '
                   'oid %s: a copy or a restored dump',
                   e.epoch, e.database_oid, n.database_oid)
               when (n.ledger_oid, n.counter_oid) is distinct from (e.ledger_oid, e.counter_oid) then format(
                   'epoch %s was opened for other tables than gapless.ledger and gapless.counter are now: a '
                   'dump was restored into this database',
                   e.epoch)
               when g.missing is not null then format(
                   'the guards of the ledger are not all at work, %s is missing: a restore that has not '
                   'ended, or somebody switched it off',
                   g.missing)
               when n.timeline is distinct from e.timeline then format(
                   'epoch %s was opened on timeline %s, this is timeline %s: a failover or a restored backup',
                   e.epoch, e.timeline, n.timeline)
               when n.place <> e.place then format(
                   'epoch %s was opened for the data directory %s, this is %s: a clone, or it was moved',
                   e.epoch, e.place, n.place)
               end,
               coalesce(
                   f.reason is null and g.missing is null and n.timeline > e.timeline
                       and (n.system_identifier, n.database_oid, n.ledger_oid, n.counter_oid)
                           = (e.system_identifier, e.database_oid, e.ledger_oid, e.counter_oid),
                   false
               ),
               n.ledger_oid, n.counter_oid
        from (
            select (select d.oid from pg_database d where d.datname = current_database()),
                   c.system_identifier,
                   case
                       when pg_is_in_recovery() then lpad(upper(to_hex(k.timeline_id)), 8, '0')
                       else left(pg_walfile_name(pg_current_wal_lsn()), 8)
                       end,
                   case
                       when pg_has_role(current_user, 'pg_read_all_settings', 'usage')
                           then current_setting('data_directory')
                       end,
                   to_regclass('gapless.ledger')::oid, to_regclass('gapless.counter')::oid
            from pg_control_system() c, pg_control_checkpoint() k
        ) n (database_oid, system_identifier, timeline, place, ledger_oid, counter_oid)
        left join (
            select e.epoch, e.database_id, e.system_identifier, e.timeline,
                   coalesce(e.place, l.place) as place, e.database_oid, e.ledger_oid, e.counter_oid,
                   e.opened_at, e.opened_by, e.reason
            from gapless.epoch e
            left join gapless.epoch_place l on l.epoch = e.epoch
            order by e.epoch desc limit 1
        ) e on true
        left join lateral (
            select f.reason from gapless.fence f where f.epoch = e.epoch order by f.fence_id limit 1
        ) f on true
        cross join lateral (
            select min(w.name)
            from (values
                ('range_continues_the_ledger', n.ledger_oid), ('counter_follows_the_ledger', n.counter_oid),
                ('counter_opens_block', n.counter_oid), ('range_starts_once', n.ledger_oid),
                ('key_is_spent_once', n.ledger_oid)
            ) w (name, place)
            where not exists (
                select
                from pg_trigger t
                where t.tgrelid = w.place and t.tgname = w.name and t.tgenabled in ('O', 'A')
            ) and not exists (
                select from pg_constraint c where c.conrelid = w.place and c.conname = w.name
            )
        ) g (missing);
end;
$$;
