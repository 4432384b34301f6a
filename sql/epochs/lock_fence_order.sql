-- lock_fence_order() -> nothing; from now on no series is created, until COMMIT, and those that were being
-- created are
--
-- For who changes what a new series begins with: an epoch, a fence. At REPEATABLE READ and above PostgreSQL
-- raises 40001 where a series was created meanwhile, which could not be seen. Waits for whoever has called
-- this, and then for those that create a series (gapless.series_create): each of them has one of the other
-- rows, and waits for none of these once it has it.
create or replace function gapless.lock_fence_order() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    update gapless.fence_order o set changes = o.changes + 1 where o.place = 0;
    update gapless.fence_order o set changes = o.changes + 1 where o.place > 0;
end;
$$;
