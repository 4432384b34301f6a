-- fence_raise(p_reason, p_actor) -> nothing; from now on nothing is issued, by anybody, until an epoch is opened
--
-- For who knows of numbers that this database has forgotten. Locks every counter: what is being issued ends first, and the order of fences:
-- a series that is being created at this moment is fenced, too.
create or replace function gapless.fence_raise(p_reason text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_arrived bigint;
begin
    update gapless.fence_order o set changes = o.changes + 1;
    perform from gapless.counter c order by c.series_id for update;
    insert into gapless.fence (epoch, raised_by, reason) select max(e.epoch), p_actor, p_reason from gapless.epoch e;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'fence');
    update gapless.counter c set fenced = true where not c.fenced;
    perform gapless.audit(p_actor, 'fence.raise', 'database', null, jsonb_build_object('reason', p_reason));
end;
$$;
