-- day_of(p_moment) -> the day of a moment, in the database's time zone
--
-- A day that has begun does not end because the clock goes back past its midnight.
create or replace function gapless.day_of(p_moment timestamptz) returns date
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_zone text := gapless.time_zone();
    v_day  date := (p_moment at time zone v_zone)::date;
begin
    -- The clock was not changed in these hours: almost always, and for a tenth of the time.
    if p_moment at time zone v_zone - (p_moment - interval '48 hours') at time zone v_zone
        = interval '48 hours'
    then
        return v_day;
    end if;
    return v_day + (p_moment >= gapless.day_begins(v_day + 1))::integer;
end;
$$;
