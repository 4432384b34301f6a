-- epoch_begin(p_epoch, p_reason, p_actor) -> nothing; begins the next life of the database and lifts fences
--
-- For epoch_open, epoch_follow and epoch_complete_move, which decide whether it may. Locks every counter, so
-- that no batch spans two epochs, and gapless.fence_order, so that no series starts in the old epoch.
create or replace function gapless.epoch_begin(p_epoch integer, p_reason text, p_actor text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_arrived bigint;
begin
    if not exists (select from gapless.epoch) then
        raise exception 'the database has no epoch: restore it whole' using errcode = 'GL014';
    end if;
    perform gapless.lock_fence_order();
    perform from gapless.counter c order by c.series_id for update;
    insert into gapless.epoch (
        epoch, database_id, system_identifier, timeline, place, database_oid, ledger_oid, counter_oid,
        opened_by, reason
    )
    select p_epoch, s.database_id, s.system_identifier, s.timeline, s.place, s.database_oid, s.ledger_oid,
           s.counter_oid, p_actor, p_reason
    from gapless.epoch_state() s;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'epoch');
    update gapless.counter c set epoch = p_epoch, fenced = false;
end;
$$;
