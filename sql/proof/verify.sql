-- verify(p_series) -> the findings, for one series or (null) for all; no row means gapless
--
-- For psql and auditors.
create or replace function gapless.verify(p_series text default null)
returns table (series text, at text, what text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.name, f ->> 'at', f ->> 'what'
    from gapless.series s
    cross join lateral gapless.verify_series(s.series_id) v
    cross join lateral jsonb_array_elements(v.findings) f
    where s.name = p_series
    union all
    select v.series, f ->> 'at', f ->> 'what'
    from gapless.verify_all() v
    cross join lateral jsonb_array_elements(v.findings) f
    where p_series is null
    order by 1;
$$;
