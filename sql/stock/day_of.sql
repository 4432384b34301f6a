-- day_of(p_moment) -> the day of a moment, in the database's time zone
--
-- A day that has begun does not end because the clock goes back past its midnight.
create or replace function gapless.day_of(p_moment timestamptz) returns date
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select d.day + (p_moment >= gapless.day_begins(d.day + 1))::integer
        from (select (p_moment at time zone gapless.time_zone())::date as day) d
    );
end;
$$;
