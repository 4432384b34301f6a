-- moment(p_at) -> a moment as findings show it: 2026-11-21T05:52:29Z
create or replace function gapless.moment(p_at timestamptz) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
