-- epoch_prepare_move(p_reason, p_actor) -> nothing; ends this epoch for a move of the database to another
-- server
--
-- From then on nothing is issued, settled or changed here, even if somebody restarts this server, until two
-- administrators open the next epoch: by gapless.epoch_complete_move, there or here, or by
-- gapless.epoch_open. Records how far each series has come. Repeating it changes nothing. Raises GL014 if the
-- database is fenced for another reason, GL017 without a reason. Locks every counter and tally, and updates
-- the tallies, so that a serializable transaction that began before and settles a hold fails with 40001. Call
-- it at READ COMMITTED: it waits for current batches.
create or replace function gapless.epoch_prepare_move(p_reason text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_state   record;
    v_arrived bigint;
begin
    lock table gapless.epoch in share row exclusive mode;
    if gapless.is_moving() then
        return;
    end if;
    select * into v_state from gapless.epoch_state();
    if v_state.trouble is not null then
        raise exception 'the database is fenced, it cannot be moved as it is: %; gapless epoch open begins '
                        'the next epoch here first',
            v_state.trouble
            using errcode = 'GL014';
    end if;
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'a move needs a reason' using errcode = 'GL017';
    end if;
    perform gapless.fence_raise(format(
        'it is prepared for a move to another server (%s); gapless epoch move completes it there, or calls '
        'it off here',
        p_reason), p_actor);
    update gapless.tally t set events = t.events;
    insert into gapless.epoch_move (epoch, fence_id, marks)
    select f.epoch, f.fence_id, gapless.move_marks()
    from gapless.fence f
    where f.epoch = v_state.epoch order by f.fence_id desc limit 1;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'epoch_move');
    perform gapless.audit(
        p_actor => p_actor, p_action => 'epoch.prepare_move', p_subject => v_state.epoch::text,
        p_before => null,
        p_after => jsonb_build_object('reason', p_reason, 'marks', gapless.move_marks(), 'role', session_user)
    );
end;
$$;
