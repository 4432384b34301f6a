-- lease_room(p_series_id, p_moment) -> one row: how many numbers of the open block may go on lease at that
-- moment, and whether the series is at its low water mark, from where on none may
create or replace function gapless.lease_room(p_series_id integer, p_moment timestamptz)
returns table (room bigint, low boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select case
           when c.valid_until <= p_moment then 0
           else coalesce(c.last_serial - c.next_serial + 1, 0)
           end,
           coalesce(coalesce(c.last_serial - c.next_serial + 1, 0) + c.waiting + (
               select coalesce(sum(b.last_serial - b.first_serial + 1), 0)
               from gapless.block b
               where b.series_id = c.series_id and b.state = 'queued'
           ) <= s.low_water, false)
    from gapless.counter c
    join gapless.series s using (series_id)
    where c.series_id = p_series_id;
$$;
