-- fence_raise(p_reason, p_actor) -> nothing; stops all issuing, by everybody, until an epoch is opened
--
-- For callers that know of numbers this database has forgotten. Locks every counter, which lets current
-- batches finish, and gapless.fence_order, so that a series being created at this moment is fenced, too.
-- Raising it again for the same reason changes nothing.
create or replace function gapless.fence_raise(p_reason text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_arrived bigint;
    v_epoch   integer;
begin
    perform gapless.lock_fence_order();
    perform from gapless.counter c order by c.series_id for update;
    update gapless.counter c set fenced = true where not c.fenced;
    select max(e.epoch) into v_epoch from gapless.epoch e;
    if exists (select from gapless.fence f where f.epoch = v_epoch and f.reason = p_reason) then
        return; -- both connections of an instance report the same
    end if;
    insert into gapless.fence (epoch, raised_by, reason) values (v_epoch, p_actor, p_reason);
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'fence');
    perform gapless.audit(
        p_actor => p_actor, p_action => 'fence.raise', p_subject => 'database', p_before => null,
        p_after => jsonb_build_object('reason', p_reason)
    );
end;
$$;
