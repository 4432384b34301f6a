-- interface() -> one row: which programs this schema serves
--
-- interface: the newest set of functions, signatures and meanings that programs can call here.
-- oldest_interface: the oldest still supported. A program that calls one of these works; any other refuses to
-- issue. A change that older programs must not see gets a new name or signature, and interface rises by one;
-- the superseded signature stays for one release, then oldest_interface rises (CONTRIBUTING.md). This is the
-- one function whose own shape never changes.
create or replace function gapless.interface()
returns table (interface integer, oldest_interface integer)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select 3, 1; -- 2: notices and webhooks; 3: leases
$$;
