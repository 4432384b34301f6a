-- verify_blocks(p_series_id) -> findings about blocks that the ledger cannot reveal
--
-- Checks that blocks never opened still have all their numbers, that no two blocks of one space and cycle
-- share one, and that a number's cycles count up in loading order, each after the one before was used up.
-- Withdrawn blocks share nothing and count in no cycle. No block was skipped: queued blocks stand after all
-- opened ones. Nothing of a recalled block is remaining or free, only what is on lease is held, and it was
-- recalled when the audit log says.
create or replace function gapless.verify_blocks(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with leased as materialized ( -- stays held until settled or written off
        select coalesce(range_agg(r), '{}') as numbers
        from gapless.lease l
        join gapless.hold h using (series_id, turn, ordinal)
        cross join lateral unnest(h.held) as r
        where l.series_id = p_series_id
    ), wrong (at, what) as (
        select format('block %s', b.block_id),
               case
               when b.state in ('closed', 'withdrawn')
                   then format('block %s was closed at serial %s without having been opened',
                               b.block_id, b.closed_serial)
               else format('block %s counts as %s, but was never opened', b.block_id, b.state)
               end
        from gapless.block b
        where b.series_id = p_series_id and b.first_ordinal is null
          and (b.state not in ('queued', 'closed', 'withdrawn')
               or b.state in ('closed', 'withdrawn') and b.closed_serial is distinct from b.first_serial)
        union all
        select format('block %s', b.block_id),
               format('block %s (%s…%s) shares numbers with block %s (%s…%s)',
                      b.block_id, b.first_serial, b.last_serial, o.block_id, o.first_serial, o.last_serial)
        from gapless.block b
        join gapless.block o on o.space = b.space and o.cycle = b.cycle and o.block_id <> b.block_id
            and o.state <> 'withdrawn' and gapless.assigned_part(o) && gapless.assigned_part(b)
        where b.series_id = p_series_id and b.state <> 'withdrawn'
        union all
        select format('block %s', b.block_id),
               format('block %s counts as cycle %s of its numbers, %s is due', b.block_id, b.cycle, o.due)
        from gapless.block b
        cross join lateral (
            -- Without withdrawn blocks, so that the index of blocks_of_a_space_do_not_overlap is used.
            select coalesce(max(o.cycle), 0) + 1 as due
            from gapless.block o
            where o.space = b.space and o.block_id < b.block_id
              and o.state <> 'withdrawn' and gapless.assigned_part(o) && gapless.assigned_part(b)
        ) o
        where b.series_id = p_series_id and b.state <> 'withdrawn' and b.cycle <> o.due
          -- A block that was withdrawn after b was loaded counted then.
          and (b.cycle < o.due or not exists (
              select from gapless.block w
              where w.space = b.space and w.block_id < b.block_id and w.cycle >= b.cycle - 1
                and w.state = 'withdrawn' and gapless.assigned_part(w) && gapless.assigned_part(b)
          ))
        union all
        select format('block %s', b.block_id),
               format('block %s was loaded again as block %s before it was used up', b.block_id, o.block_id)
        from gapless.block b
        join gapless.counter c using (series_id)
        join gapless.block o on o.space = b.space and o.block_id > b.block_id
            and o.state <> 'withdrawn' and gapless.assigned_part(o) && gapless.assigned_part(b)
        where b.series_id = p_series_id
          and (b.state = 'queued' or b.state = 'open' and c.next_serial <= c.last_serial)
        union all
        -- Moves only swap queued blocks, so none may stand before an opened one.
        select format('block %s', b.block_id),
               format(
                   'block %s is still queued at position %s, but block %s of position %s was opened',
                   b.block_id, b.position, o.block_id, o.position
               )
        from gapless.block b
        cross join lateral (
            select o.block_id, o.position from gapless.block o
            where o.series_id = b.series_id and o.first_ordinal is not null and o.position > b.position
            order by o.position limit 1
        ) o
        where b.series_id = p_series_id and b.state = 'queued'
          and b.position < ( -- or each would look through all that follow
              select max(o.position) from gapless.block o
              where o.series_id = p_series_id and o.first_ordinal is not null
          )
        union all
        select format('block %s', b.block_id),
               format('block %s was recalled, but %s of its numbers are %s', b.block_id, w.count, w.state)
        from gapless.block b
        join gapless.counter c using (series_id)
        cross join lateral (
            select int8range(b.first_ordinal, b.first_ordinal - b.first_serial + case b.state
                when 'closed' then b.closed_serial
                when 'open' then coalesce(c.next_serial, b.last_serial + 1)
                else b.last_serial + 1
                end)
        ) l (ordinals)
        cross join lateral (
            select 'remaining' as state, c.last_serial - c.next_serial + 1 as count
            where b.state = 'open' and c.block_id = b.block_id
            union all
            select n.state,
                   sum(gapless.size_of((n.numbers - e.numbers) * int8multirange(l.ordinals)))
            from gapless.number_state n
            cross join leased e
            where n.series_id = b.series_id and n.state in ('held', 'free')
              and b.first_ordinal is not null
            group by n.state
        ) w
        where b.series_id = p_series_id and b.recalled_at is not null and w.count > 0
        union all
        select format('block %s', b.block_id),
               format('block %s was not recalled when it says, by the audit log', b.block_id)
        from gapless.block b
        where b.series_id = p_series_id and b.recalled_at is not null and not exists (
            select from gapless.audit_log a
            where a.action = 'block.recall' and a.subject = b.block_id::text and a.at = b.recalled_at
        )
    )
    select coalesce(jsonb_agg(gapless.finding(w.at, w.what) order by w.at, w.what), '[]')
    from wrong w;
$$;
