-- lease_record_of(p_series_id, p_ordinal) -> the settled answer from a lease that begins at that ordinal; no
-- row if there is none
create or replace function gapless.lease_record_of(p_series_id integer, p_ordinal bigint)
returns setof gapless.lease_record
language sql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
    select * from gapless.lease_record k where k.series_id = p_series_id and k.ordinal = p_ordinal;
$$;
