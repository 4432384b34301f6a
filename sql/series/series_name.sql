-- series_name(p_series_id) -> its name, empty if it does not exist: no token allows a series of that name
create or replace function gapless.series_name(p_series_id integer) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select s.name from gapless.series s where s.series_id = p_series_id), '');
$$;
