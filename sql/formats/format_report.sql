-- format_report(p_name) -> the formats of the shipper's own, by name; null for all
create or replace function gapless.format_report(p_name text default null)
returns table (name text, declaration jsonb)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select f.name, f.declaration
    from gapless.format f
    where p_name is null or f.name = p_name order by f.name;
$$;
