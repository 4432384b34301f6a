-- fence_begin(p_reason, p_actor) -> nothing; fences the database, and every series that nobody holds
--
-- Does not wait for a series that somebody has locked, perhaps for long: gapless.fence_raise or gapless.sweep
-- fences it afterwards. Locks gapless.fence_order, so that a series being created at this moment is fenced,
-- too.
create or replace function gapless.fence_begin(p_reason text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_arrived bigint;
    v_epoch   integer;
begin
    perform gapless.lock_fence_order();
    update gapless.counter c
    set fenced = true
    where c.series_id in (
        select o.series_id from gapless.counter o where not o.fenced for update skip locked
    );
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
