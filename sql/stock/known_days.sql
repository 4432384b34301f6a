-- known_days() -> how many days of use before today are kept: a year and eight weeks
create or replace function gapless.known_days() returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select 420;
$$;
