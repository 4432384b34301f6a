-- finding(p_at, p_what) -> one finding of verify as jsonb: the place, and what is wrong there
create or replace function gapless.finding(p_at text, p_what text) returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select jsonb_build_object('at', p_at, 'what', p_what);
$$;
