-- manifest_ranges(p_series, p_day) -> the ranges of ordinals on the manifest of that day with their serials,
-- in order
create or replace function gapless.manifest_ranges(p_series text, p_day date)
returns table (ordinal bigint, serial bigint, count bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with run as (
        select s.series_id, unnest(range_agg(r)) as run
        from gapless.manifest_part m
        join gapless.series s using (series_id)
        cross join lateral unnest(m.numbers) as r
        where s.name = p_series and m.day = p_day
        group by s.series_id
    )
    select lower(r.run * b.ordinals), b.first_serial + (lower(r.run * b.ordinals) - b.first_ordinal),
           upper(r.run * b.ordinals) - lower(r.run * b.ordinals)
    from run r
    cross join lateral (
        select b.first_serial, b.first_ordinal, u.ordinals
        from gapless.block b
        cross join lateral gapless.used_part(b) u
        where b.series_id = r.series_id and b.first_ordinal < upper(r.run) and b.first_ordinal >= (
            select max(o.first_ordinal)
            from gapless.block o
            where o.series_id = r.series_id and o.first_ordinal <= lower(r.run)
        )
    ) b
    where b.ordinals && r.run
    order by 1;
$$;
