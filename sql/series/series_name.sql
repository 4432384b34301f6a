-- series_name(p_series_id) -> its name, empty for a series that does not exist: no token is for a series of
-- that name
create or replace function gapless.series_name(p_series_id integer) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select s.name from gapless.series s where s.series_id = p_series_id), '');
$$;
