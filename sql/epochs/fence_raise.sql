-- fence_raise(p_reason, p_actor) -> nothing; stops all issuing, by everybody, until an epoch is opened
--
-- For callers that know of numbers this database has forgotten. Locks every counter that is not fenced yet,
-- which lets current batches finish, then does what gapless.fence_begin does. Raising it again for the same
-- reason changes nothing.
create or replace function gapless.fence_raise(p_reason text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.lock_fence_order();
    perform from gapless.counter c where not c.fenced order by c.series_id for update;
    perform gapless.fence_begin(p_reason, p_actor);
end;
$$;
