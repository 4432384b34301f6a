-- lock_fence_order() -> nothing; waits for series that are being created, and keeps others from being created
-- until COMMIT
--
-- For callers that change what a new series starts with: an epoch, a fence. At REPEATABLE READ and above, if
-- a series was created meanwhile, which would be invisible, PostgreSQL raises 40001. Waits for other callers
-- of this function, then for those that create a series (gapless.series_create): each of these holds one of
-- the rows from place 1 on, and waits for no other once it holds it.
create or replace function gapless.lock_fence_order() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    update gapless.fence_order o set changes = o.changes + 1 where o.place = 0;
    update gapless.fence_order o set changes = o.changes + 1 where o.place > 0;
end;
$$;
