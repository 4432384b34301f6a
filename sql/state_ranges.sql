-- state_ranges(p_series_id) -> every run of ordinals that is in a state of its own, by ordinal; what is not listed is issued
--
-- For those who need the state of many numbers at once: exports, reconciliation.
create or replace function gapless.state_ranges(p_series_id integer)
returns table (state text, first_ordinal bigint, last_ordinal bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.state, lower(r), upper(r) - 1
    from gapless.number_state s
    cross join lateral unnest(s.numbers) as r
    where s.series_id = p_series_id
    order by 2;
$$;
