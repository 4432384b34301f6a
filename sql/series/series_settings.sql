-- series_settings(p_name) -> a series' settings, without figures; one row per series, null for all
--
-- Two branches, one of which returns nothing: "p_name is null or …" would scan every series to find one.
create or replace function gapless.series_settings(p_name text default null)
returns table (series_id integer, name text, format text, params jsonb, declaration jsonb)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
    return query
        select s.series_id, s.name, s.format, s.params, f.declaration
        from (
            select * from gapless.series where p_name is null
            union all
            select * from gapless.series where name = p_name
        ) s
        left join gapless.format f on f.name = s.format
        order by s.series_id;
end;
$$;
