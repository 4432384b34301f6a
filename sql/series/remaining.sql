-- remaining(p_series_id) -> how many numbers of a series can still be issued (gapless.stock); takes no lock
create or replace function gapless.remaining(p_series_id integer) returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (select s.remaining from gapless.stock s where s.series_id = p_series_id);
end;
$$;
