-- may_step_back(p_series_id, p_ordinal, p_last, p_moment) -> whether rows of p_moment may follow a row of the
-- later p_last: only if gapless.next_moment has just recorded that step
--
-- p_ordinal: the series' next fresh one. 59 minutes instead of an hour, because the clock has moved on.
create or replace function gapless.may_step_back(
    p_series_id integer, p_ordinal bigint, p_last timestamptz, p_moment timestamptz
)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select p_last > clock_timestamp() + interval '59 minutes'
       and exists (
           select from gapless.clock_step s
           where s.series_id = p_series_id and s.ordinal = p_ordinal and s.at <= p_moment
       );
$$;
