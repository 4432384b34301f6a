-- day_begins(p_day) -> the first moment of a day, in the database's time zone: midnight, the first of two, or
-- what comes first where there is none
create or replace function gapless.day_begins(p_day date) returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return gapless.local_moment(p_day::timestamp);
end;
$$;
