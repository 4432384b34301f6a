-- epoch_move_report() -> one row: how far each series has come, the move prepared in this epoch, and the
-- journals that belong to it
--
-- trouble: the reason of the first fence of this epoch that is not the move's, or null. move_id, prepared_at
-- and marks: null if no move was prepared. journals: those of the instances admitted in this epoch or in one
-- before it on the same server (system, timeline, database, folder), each with the latest host and epoch:
-- whether an instance that was not admitted since is gone, or only switched off, nobody knows, and a database
-- put back to a moment in between has forgotten that it came back. opened_on, here: the server where the
-- epoch was opened, and this one, in words.
create or replace function gapless.epoch_move_report()
returns table (
    epoch integer, database_id uuid, opened_oid oid, trouble text, move_id uuid, prepared_at timestamptz,
    marks jsonb, present jsonb, journals jsonb, opened_on text, here text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.epoch, s.database_id, s.opened_database_oid,
           (
               select f.reason
               from gapless.fence f
               where f.epoch = s.epoch and f.fence_id is distinct from m.fence_id
               order by f.fence_id limit 1
           ),
           m.move_id, m.prepared_at, m.marks,
           gapless.move_marks(),
           (
               select coalesce(
                   jsonb_agg(
                       jsonb_build_object('id', j.journal_id, 'host', j.host, 'epoch', j.epoch)
                       order by j.journal_id
                   ),
                   '[]'
               )
               from (
                   select distinct on (k.journal_id) k.journal_id, k.host, k.epoch
                   from gapless.epoch_journal k
                   where not exists (
                       select
                       from gapless.epoch e
                       where e.epoch >= k.epoch
                         and ((e.system_identifier, e.timeline, e.database_oid) is distinct from
                              (s.opened_system_identifier, s.opened_timeline, s.opened_database_oid)
                              or e.place <> s.opened_place)
                   )
                   order by k.journal_id, k.joined_at desc
               ) j
           ),
           format(
               'system %s, database %s, %s', s.opened_system_identifier, s.opened_database_oid,
               coalesce(s.opened_place, 'folder unknown')
           ),
           format(
               'system %s, database %s, %s', s.system_identifier, s.database_oid,
               coalesce(s.place, 'folder unknown')
           )
    from gapless.epoch_state() s
    left join gapless.epoch_move m on m.epoch = s.epoch;
$$;
