-- state_at(p_series_id, p_ordinal) -> the state of an issued number
create or replace function gapless.state_at(p_series_id integer, p_ordinal bigint) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((
        select s.state
        from gapless.number_state s
        where s.series_id = p_series_id and s.chunk = gapless.chunk_of(p_ordinal) and s.numbers @> p_ordinal
    ), 'issued');
$$;
