-- environment_name() -> the environment this database belongs to; null: not set
create or replace function gapless.environment_name() returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select e.name from gapless.environment e;
$$;
