-- overlapping_blocks(p_space, p_first, p_last) -> the blocks of the space that share a serial with p_first…p_last
--
-- reuse_from: when the series' reuse_after lets its numbers be loaded again, counted from the last one that left, for the first time or again;
-- null: never, or not while some have not left, are held or came back and wait. first, last: its ends as they
-- are printed. place: 1, 2, 3 …, those that stand in the way longest first.
create or replace function gapless.overlapping_blocks(p_space text, p_first bigint, p_last bigint)
returns table (block_id integer, name text, first_serial bigint, last_serial bigint, cycle integer, reuse_from timestamptz, first text, last text, place bigint)
language sql
stable
security definer
set search_path = pg_catalog, gapless, pg_temp -- btree_gist's operators for text live in gapless
as $$
    select h.*, row_number() over (order by h.reuse_from desc nulls first, h.first_serial)
    from (
        select b.block_id, s.name, b.first_serial, b.last_serial, b.cycle,
               case
               when (b.state in ('exhausted', 'closed') or (c.block_id = b.block_id and c.next_serial > c.last_serial)) and not exists (
                   select from gapless.number_state n
                   where n.series_id = b.series_id and n.state in ('free', 'held') and n.numbers && l.ordinals
                     and n.chunk between lower(l.ordinals) / 4096 and upper(l.ordinals) / 4096
               )
                   then s.reuse_after + coalesce(greatest(
                       (select o.issued_at from gapless.ledger_row_of(b.series_id, upper(l.ordinals) - 1) o),
                       (select max(a.issued_at) from gapless.ledger a
                        where a.series_id = b.series_id and a.turn > 0 and a.ordinal >= lower(l.ordinals) and a.ordinal < upper(l.ordinals))
                   ), b.loaded_at)
               end as reuse_from,
               gapless.format_number(s.program, b.first_serial), gapless.format_number(s.program, b.last_serial)
        from gapless.block b
        join gapless.series s using (series_id)
        join gapless.counter c using (series_id)
        cross join lateral (
            select case when b.first_ordinal is null then 'empty'
                   else int8range(b.first_ordinal, b.first_ordinal + (coalesce(b.closed_serial, b.last_serial + 1) - b.first_serial))
                   end as ordinals
        ) l
        where b.space = p_space and int8range(b.first_serial, b.last_serial, '[]') && int8range(p_first, p_last, '[]')
    ) h;
$$;
