-- time_zone() -> the time zone whose days are used here, 'UTC' until gapless.time_zone_set
create or replace function gapless.time_zone() returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return (select c.time_zone from gapless.calendar c);
end;
$$;
