-- day_of(p_moment) -> the day of a moment, in the database's time zone
create or replace function gapless.day_of(p_moment timestamptz) returns date
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select (p_moment at time zone c.time_zone)::date from gapless.calendar c;
$$;
