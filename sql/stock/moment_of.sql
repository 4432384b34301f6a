-- moment_of(p_written, p_ends) -> the moment that a text names: the one place that interprets days and
-- moments without a zone
--
-- p_written: 2027-12-31, a day in the database's time zone; 2027-12-31T12:00:00, a moment in it; with a Z at
-- the end, a moment in UTC. p_ends: a day means its last microsecond instead of its first moment. Raises
-- GL017 outside the years 1 to 9999 of UTC.
create or replace function gapless.moment_of(p_written text, p_ends boolean) returns timestamptz
language plpgsql
stable
strict
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_moment timestamptz := case
        when p_written like '%Z' then p_written::timestamptz
        when p_ends and length(p_written) = 10
            then gapless.day_begins(p_written::date + 1) - interval '1 microsecond'
        else gapless.local_moment(p_written::timestamp)
    end;
begin
    if v_moment < '0001-01-01T00:00:00Z' or v_moment >= '10000-01-01T00:00:00Z' then
        raise exception 'a moment has to be within the years 0001 to 9999, in UTC' using errcode = 'GL017';
    end if;
    return v_moment;
end;
$$;
