-- time_zone() -> the time zone whose days count here, 'UTC' until gapless.time_zone_set
create or replace function gapless.time_zone() returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select c.time_zone from gapless.calendar c;
$$;
