-- day_begins(p_day) -> the first moment of a day, in the database's time zone
create or replace function gapless.day_begins(p_day date) returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select p_day::timestamp at time zone c.time_zone from gapless.calendar c;
$$;
