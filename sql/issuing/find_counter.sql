-- find_counter(p_series_id) -> the ctid of the series' counter, looked up and noted (gapless.note_counter);
-- null if there is no such series
create or replace function gapless.find_counter(p_series_id integer) returns tid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
    v_place tid;
    v_noted text;
begin
    select c.ctid into v_place from gapless.counter c where c.series_id = p_series_id;
    v_noted := gapless.note_counter(p_series_id, v_place);
    return v_place;
end;
$$;
