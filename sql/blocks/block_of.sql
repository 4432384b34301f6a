-- block_of(p_series_id, p_serial) -> the block that answers for this serial; no row if none has it
--
-- If numbers were loaded again: the latest cycle in which this one was issued, else the latest of all, so a
-- printed label keeps its answer until its number is issued again. Serials before the block's first_serial
-- were issued elsewhere. Withdrawn blocks have no numbers. One index look-up per cycle, however many blocks
-- there are: within a cycle blocks do not overlap. Inlined.
create or replace function gapless.block_of(p_series_id integer, p_serial bigint)
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
          and coalesce(b.assigned_serial, b.first_serial) <= p_serial
        order by coalesce(b.assigned_serial, b.first_serial) desc
        limit 1
    ) b
    cross join lateral gapless.used_part(
        b, (select k.next_serial from gapless.counter k where k.series_id = p_series_id)
    ) u
    where b.last_serial >= p_serial
    order by p_serial < u.next_serial desc, c.cycle desc
    limit 1;
$$;
