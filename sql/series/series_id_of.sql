-- series_id_of(p_name) -> the id of the series with this name; raises GL005 unknown-series if there is none
create or replace function gapless.series_id_of(p_name text) returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
begin
    select s.series_id into v_series_id from gapless.series s where s.name = p_name;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_name)
            using errcode = 'GL005';
    end if;
    return v_series_id;
end;
$$;
