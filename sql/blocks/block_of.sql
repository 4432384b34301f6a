-- block_of(p_series_id, p_first, p_last) -> the block of the latest cycle that the carrier assigned with
-- these serials; no row if no block has them all
--
-- Serials before the block's first_serial were issued elsewhere. Withdrawn blocks have no numbers. One index
-- look-up per cycle, however many blocks there are: within a cycle blocks do not overlap. Inlined.
create or replace function gapless.block_of(p_series_id integer, p_first bigint, p_last bigint)
returns setof gapless.block
language sql
stable
rows 1
as $$
    select b.*
    from generate_series(
        (select max(m.cycle) from gapless.block m where m.series_id = p_series_id and m.state <> 'withdrawn'),
        1, -1
    ) as c (cycle)
    cross join lateral (
        select b.* from gapless.block b
        where b.series_id = p_series_id and b.cycle = c.cycle and b.state <> 'withdrawn'
          and coalesce(b.assigned_serial, b.first_serial) <= p_first
        order by coalesce(b.assigned_serial, b.first_serial) desc
        limit 1
    ) b
    where b.last_serial >= p_last
    order by c.cycle desc
    limit 1;
$$;
