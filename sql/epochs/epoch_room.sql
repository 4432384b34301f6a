-- epoch_room(p_series_id) -> how many fresh numbers gapless.epoch_fill could record: those left in the blocks
-- of a series, even expired ones, paused or not
--
-- Takes no lock.
create or replace function gapless.epoch_room(p_series_id integer) returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select (coalesce(c.last_serial - c.next_serial + 1, 0) + coalesce(b.size, 0))::bigint
    from gapless.counter c
    cross join lateral (
        select sum(b.last_serial - b.first_serial + 1) as size
        from gapless.block b
        where b.series_id = c.series_id and b.state = 'queued'
    ) b
    where c.series_id = p_series_id;
$$;
