-- clock_doubted() -> whether the clock went further than time did, so that nothing may expire by it
-- (gapless.clock_look)
create or replace function gapless.clock_doubted() returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select c.doubted_at is not null from gapless.clock c;
$$;
