-- size_of(p_numbers) -> how many ordinals a set holds
create or replace function gapless.size_of(p_numbers int8multirange) returns bigint
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(p_numbers) as r;
$$;
