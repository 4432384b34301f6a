-- verify_breaks(p_series_id, p_block_id) -> findings: the first ten places where the block's ranges do not
-- chain
--
-- Sorts the block's ledger rows, so it is only called once a block is known to be broken.
create or replace function gapless.verify_breaks(p_series_id integer, p_block_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with step as (
        select l.ordinal, l.serial,
               lag(l.ordinal + l.count) over w as ordinal_due,
               lag(l.serial + l.count) over w as serial_due
        from gapless.ledger l
        where l.series_id = p_series_id and l.block_id = p_block_id and l.turn = 0
        window w as (order by l.ordinal, l.serial)
    ), break as (
        select *
        from step s
        where s.ordinal <> s.ordinal_due or s.serial <> s.serial_due order by s.ordinal limit 10
    )
    select coalesce(jsonb_agg(gapless.finding(
        format('ordinal %s', least(b.ordinal, b.ordinal_due)),
        case
        when b.ordinal > b.ordinal_due
            then format('ordinals %s to %s (serials %s to %s) are missing',
                        b.ordinal_due, b.ordinal - 1, b.serial_due, b.serial - 1)
        when b.ordinal < b.ordinal_due
            then format('ordinals %s to %s left twice', b.ordinal, b.ordinal_due - 1)
        else format('serial %s stands where %s is due', b.serial, b.serial_due)
        end
    ) order by b.ordinal), '[]')
    from break b;
$$;
