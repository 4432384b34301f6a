-- remaining(p_series_id) -> how many numbers of a series can still be issued: what is left of the open block,
-- all queued ones, and what waits to be issued again
--
-- Takes no lock.
create or replace function gapless.remaining(p_series_id integer) returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select coalesce(c.last_serial - c.next_serial + 1, 0) + c.waiting + (
                   select coalesce(sum(b.last_serial - b.first_serial + 1), 0)
                   from gapless.block b
                   where b.series_id = c.series_id and b.state = 'queued'
               )
        from gapless.counter c
        where c.series_id = p_series_id
    );
end;
$$;
