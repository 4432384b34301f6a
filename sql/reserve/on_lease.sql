-- on_lease(p_told) -> what gapless.leases_told says, as a member of an audit row; empty if nothing is on
-- lease
create or replace function gapless.on_lease(p_told text[]) returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select case when p_told is null then '{}' else jsonb_build_object('on_lease', p_told) end;
$$;
