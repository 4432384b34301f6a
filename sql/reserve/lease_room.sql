-- lease_room(p_series_id, p_moment) -> one row: how many numbers of one block may go on lease at that moment,
-- from which serial on, and whether the series is at or below its low water mark, where none may
--
-- The block is the open one, or the next in the queue if that is used up or none is open. A lease leaves in
-- the series what its low water mark keeps for requests.
create or replace function gapless.lease_room(p_series_id integer, p_moment timestamptz)
returns table (room bigint, low boolean, block_id integer, serial bigint, valid_until timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select greatest(least(coalesce(r.room, 0), t.remaining - s.low_water), 0)::bigint,
           coalesce(t.remaining <= s.low_water, false), r.block_id, r.serial, r.valid_until
    from gapless.counter c
    join gapless.series s using (series_id)
    join gapless.stock t using (series_id)
    left join lateral (
        select c.last_serial - c.next_serial + 1 as room, c.block_id, c.next_serial as serial, c.valid_until
        where c.next_serial <= c.last_serial and (c.valid_until > p_moment) is not false
        union all
        (select b.last_serial - b.first_serial + 1, b.block_id, b.first_serial, b.valid_until
         from gapless.block b
         where b.series_id = c.series_id and b.state = 'queued' and (b.valid_until > p_moment) is not false
           and (c.next_serial <= c.last_serial) is not true
         order by b.position
         limit 1)
        limit 1
    ) r on true
    where c.series_id = p_series_id;
$$;
