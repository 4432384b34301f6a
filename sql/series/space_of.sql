-- space_of(p_series) -> the number space of the series with this name; raises GL005 if there is none
create or replace function gapless.space_of(p_series text) returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_space text;
begin
    select s.space into v_space from gapless.series s where s.name = p_series;
    if not found then
        raise exception 'there is no series %', quote_literal(p_series) using errcode = 'GL005';
    end if;
    return v_space;
end;
$$;
