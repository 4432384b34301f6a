-- state_ranges(p_series_id, p_first, p_last) -> every run of ordinals with a stored state, by ordinal; all
-- others are issued
--
-- For exports and reconciliation, which need the state of many numbers at once. With p_first and p_last,
-- reads only chunks with one of these ordinals, so that a long series can be read piece by piece.
create or replace function gapless.state_ranges(
    p_series_id integer, p_first bigint default 0, p_last bigint default 9223372036854775807
)
returns table (state text, first_ordinal bigint, last_ordinal bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.state, lower(r), upper(r) - 1
    from gapless.number_state s
    cross join lateral unnest(s.numbers) as r
    where s.series_id = p_series_id and s.chunk between gapless.chunk_of(p_first) and gapless.chunk_of(p_last)
    order by 2;
$$;
