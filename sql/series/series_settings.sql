-- series_settings(p_name) -> what a series is made of, without its figures; one row per series, null for all
create or replace function gapless.series_settings(p_name text default null)
returns table (series_id integer, name text, format text, params jsonb, declaration jsonb)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.series_id, s.name, s.format, s.params, f.declaration
    from gapless.series s
    left join gapless.format f on f.name = s.format
    where p_name is null or s.name = p_name
    order by s.series_id;
$$;
