-- reused_part(p_series_id, p_block_id, p_ordinal, p_serial, p_count) -> of this run of the block's numbers,
-- those that were issued again since, as ranges of its ordinals; no row if none was
--
-- Numbers that were loaded again after reuse_after are issued again when that later cycle gets there, in
-- whichever series of the space, or elsewhere (assigned_serial). Until then a label keeps its number, as in
-- gapless.block_of. Where nothing was loaded again, the index blocks_loaded_again is empty. Inlined.
create or replace function gapless.reused_part(
    p_series_id integer, p_block_id integer, p_ordinal bigint, p_serial bigint, p_count bigint
)
returns table (ordinals int8range)
language sql
stable
rows 1
as $$
    select int8range(r.first - p_serial + p_ordinal, r.next - p_serial + p_ordinal)
    from gapless.block b
    join gapless.block n on n.space = b.space and n.cycle > b.cycle and n.cycle > 1 and n.state <> 'withdrawn'
    join gapless.counter c on c.series_id = n.series_id
    cross join lateral gapless.used_part(n, c.next_serial) u
    cross join lateral (
        select greatest(coalesce(n.assigned_serial, n.first_serial), p_serial) as first,
               least(u.next_serial, p_serial + p_count) as next
    ) r
    where b.series_id = p_series_id and b.block_id = p_block_id and r.first < r.next
      and gapless.assigned_part(n) && int8range(p_serial, p_serial + p_count);
$$;
