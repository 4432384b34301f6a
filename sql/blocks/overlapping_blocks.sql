-- overlapping_blocks(p_space, p_first, p_last) -> the blocks of the space that share a serial with
-- p_first…p_last, including serials issued elsewhere, without withdrawn blocks
--
-- reuse_from: when the series' reuse_after allows its numbers to be loaded again, counted from the last use
-- of one: issued (or issued again), confirmed, printed, manifested or returned; null: never, or not while
-- some are unissued, held or free. first, last: its ends as printed. place: 1, 2, 3 …, starting with the
-- blocks that stand in the way longest. In plpgsql, which keeps the plan for the session: planning takes
-- longer than the query.
create or replace function gapless.overlapping_blocks(p_space text, p_first bigint, p_last bigint)
returns table (
    block_id integer, name text, first_serial bigint, last_serial bigint, cycle integer,
    reuse_from timestamptz, first text, last text, place bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, gapless, pg_temp -- btree_gist's operators for text live in gapless
set jit = off -- estimates grow with the tables: after years, compiling would take longer than the query
as $$
#variable_conflict use_column
begin
    return query
        select h.*, row_number() over (order by h.reuse_from desc nulls first, h.first_serial)
        from (
            select b.block_id, s.name, a.first as first_serial, b.last_serial, b.cycle,
                   case
                   when s.reuse_after is not null and u.state in ('exhausted', 'closed') and not exists (
                       select from gapless.number_state n
                       where n.series_id = b.series_id and n.state in ('free', 'held')
                         and n.numbers && u.ordinals
                         and n.chunk between gapless.chunk_of(
                             lower(u.ordinals)
                         ) and gapless.chunk_of(upper(u.ordinals))
                   )
                       then s.reuse_after + coalesce(greatest(
                           (select o.issued_at
                            from gapless.ledger_row_of(b.series_id, upper(u.ordinals) - 1) o),
                           (select max(a.issued_at) from gapless.ledger a
                            where a.series_id = b.series_id and a.turn > 0 and a.ordinal >= lower(u.ordinals)
                              and a.ordinal < upper(u.ordinals)),
                           (select max(k.answered_at) from gapless.lease_record k
                            where k.series_id = b.series_id and k.ordinal >= lower(u.ordinals)
                              and k.ordinal < upper(u.ordinals)),
                           (select max(e.at) from gapless.number_event e
                            where e.series_id = b.series_id
                              and int8range(e.first_ordinal, e.last_ordinal, '[]') && u.ordinals
                              and e.kind in ('confirmed', 'printed', 'reprinted', 'manifested', 'returned'))
                       ), b.loaded_at)
                   end as reuse_from,
                   gapless.format_number(s.program, a.first),
                   gapless.format_number(s.program, b.last_serial)
            from gapless.block b
            join gapless.series s using (series_id)
            join gapless.counter c using (series_id)
            cross join lateral gapless.used_part(b, c.next_serial) u
            cross join lateral (select lower(gapless.assigned_part(b))) a (first)
            where b.space = p_space and b.state <> 'withdrawn'
              and gapless.assigned_part(b) && int8range(p_first, p_last, '[]')
        ) h;
end;
$$;
