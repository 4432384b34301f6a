-- issuance_report(p_series_id, p_turn, p_ordinal) -> the issuance that begins there, one row per range, in order
--
-- No row when no issuance begins there. Takes no lock.
create or replace function gapless.issuance_report(p_series_id integer, p_turn smallint, p_ordinal bigint)
returns table (
    series text, turn smallint, ordinal bigint, serial bigint, count integer, block_id integer, epoch integer,
    issued_at timestamptz, reference text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.name, r.turn, r.ordinal, r.serial, r.count, r.block_id, l.epoch, l.issued_at, l.reference
    from gapless.ledger l
    join gapless.series s using (series_id)
    cross join lateral gapless.issuance_ranges(l.series_id, l.turn, l.ordinal) r
    where l.series_id = p_series_id and l.turn = p_turn and l.ordinal = p_ordinal and l.key is not null;
$$;
