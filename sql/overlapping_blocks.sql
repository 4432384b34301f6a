-- overlapping_blocks(p_space, p_first, p_last) -> up to ten blocks of the space that share a serial with p_first…p_last, later cycles first
--
-- reuse_from: when the series' reuse_after lets its numbers be loaded again; null: never, or not while some have not left.
create or replace function gapless.overlapping_blocks(p_space text, p_first bigint, p_last bigint)
returns table (block_id integer, name text, first_serial bigint, last_serial bigint, cycle integer, reuse_from timestamptz)
language sql
stable
security definer
set search_path = pg_catalog, gapless, pg_temp -- btree_gist's operators for text live in gapless
as $$
    select b.block_id, s.name, b.first_serial, b.last_serial, b.cycle,
           case when b.state in ('exhausted', 'closed') or (c.block_id = b.block_id and c.next_serial > c.last_serial)
                then coalesce(l.issued_at, b.loaded_at) + s.reuse_after
           end
    from gapless.block b
    join gapless.series s using (series_id)
    join gapless.counter c using (series_id)
    left join lateral gapless.ledger_row_of(
        b.series_id, b.first_ordinal + coalesce(b.closed_serial - 1, b.last_serial) - b.first_serial) l on b.first_ordinal is not null
    where b.space = p_space and int8range(b.first_serial, b.last_serial, '[]') && int8range(p_first, p_last, '[]')
    order by b.cycle desc, b.first_serial
    limit 10;
$$;
