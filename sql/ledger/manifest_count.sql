-- manifest_count(p_series, p_day) -> how many numbers the manifest of that day holds; null: there is none
create or replace function gapless.manifest_count(p_series text, p_day date) returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select m.count
    from gapless.manifest m
    join gapless.series s using (series_id)
    where s.name = p_series and m.day = p_day;
$$;
