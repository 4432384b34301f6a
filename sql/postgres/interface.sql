-- interface() -> one row: which programs this schema serves
--
-- interface: the newest set of functions, signatures and meanings that programs call here. oldest_interface:
-- the oldest that is still here. A program that calls one of these works; any other one refuses to issue. A
-- change that an older program must not meet gets a new name or signature and one interface more; the
-- superseded signature lives for one release, then oldest_interface goes up (CONTRIBUTING.md). The one
-- function whose own shape never changes.
create or replace function gapless.interface()
returns table (interface integer, oldest_interface integer)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select 3, 1; -- 2: notices and webhooks; 3: leases
$$;
