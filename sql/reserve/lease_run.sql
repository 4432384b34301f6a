-- lease_run(p_lease) -> the run of a lease, as gapless.lease_take returns it; no row if none
create or replace function gapless.lease_run(p_lease uuid)
returns table (
    turn integer, ordinal bigint, serial bigint, count bigint, block_id integer, epoch integer, first text,
    valid_until timestamptz, draw_until timestamptz, issued_at timestamptz
)
language sql
stable
rows 1
set search_path = pg_catalog, pg_temp
as $$
    select l.turn, l.ordinal, r.serial, l.count, r.block_id, r.epoch,
           gapless.format_number(s.program, r.serial), b.valid_until, l.draw_until, r.issued_at
    from gapless.lease l
    join gapless.series s using (series_id)
    join gapless.ledger r on r.series_id = l.series_id and r.turn = l.turn and r.ordinal = l.ordinal
    join gapless.block b on b.series_id = l.series_id and b.block_id = r.block_id
    where l.lease = p_lease;
$$;
