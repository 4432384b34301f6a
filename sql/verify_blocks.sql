-- verify_blocks(p_series_id) -> findings about blocks that the ledger says nothing about
--
-- Blocks that were never opened hold all their numbers, and no two blocks of one space and cycle share one.
create or replace function gapless.verify_blocks(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with wrong (at, what) as (
        select format('block %s', b.block_id),
               case b.state
               when 'closed'
                   then format('block %s was closed at serial %s without having been opened',
                               b.block_id, b.closed_serial)
               else format('block %s counts as %s, but was never opened', b.block_id, b.state)
               end
        from gapless.block b
        where b.series_id = p_series_id and b.first_ordinal is null
          and (b.state not in ('queued', 'closed')
               or b.state = 'closed' and b.closed_serial is distinct from b.first_serial)
        union all
        select format('block %s', b.block_id),
               format('block %s (%s…%s) shares numbers with block %s (%s…%s)',
                      b.block_id, b.first_serial, b.last_serial, o.block_id, o.first_serial, o.last_serial)
        from gapless.block b
        join gapless.block o on o.space = b.space and o.cycle = b.cycle and o.block_id <> b.block_id
            and int8range(o.first_serial, o.last_serial, '[]') && int8range(b.first_serial, b.last_serial, '[]')
        where b.series_id = p_series_id
    )
    select coalesce(jsonb_agg(gapless.finding(w.at, w.what) order by w.at, w.what), '[]')
    from wrong w;
$$;
