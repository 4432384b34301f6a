-- local_moment(p_local) -> the first moment at which a clock in the database's time zone shows p_local, or a
-- later time if it skips p_local
--
-- PostgreSQL itself takes the second of two, and goes beyond a gap by as much as p_local lies in it.
create or replace function gapless.local_moment(p_local timestamp) returns timestamptz
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_zone   text := gapless.time_zone();
    -- No zone is further from UTC, and no clock is changed twice between these two moments.
    v_before timestamptz := date_trunc('second', p_local) at time zone 'UTC' - interval '16 hours';
    v_after  timestamptz := date_trunc('second', p_local) at time zone 'UTC' + interval '16 hours';
    v_first  timestamptz;
    v_middle timestamptz;
begin
    if v_after at time zone v_zone - v_before at time zone v_zone = interval '32 hours' then
        return p_local at time zone v_zone; -- as on almost every day, and for a tenth of the time
    end if;
    select min(m.moment) into v_first
    from unnest(array[v_before, v_after]) as n (near)
    cross join lateral (select n.near + (p_local - n.near at time zone v_zone) as moment) m
    where m.moment at time zone v_zone = p_local;
    if v_first is not null then
        return v_first;
    end if;
    -- Skipped: find the first second at which the clock shows no time before p_local.
    while v_after - v_before > interval '1 second' loop
        v_middle := date_trunc('second', v_before + (v_after - v_before) / 2);
        if v_middle at time zone v_zone < p_local then
            v_before := v_middle;
        else
            v_after := v_middle;
        end if;
    end loop;
    return v_after;
end;
$$;
