-- issuance_report(p_series_id, p_turn, p_ordinal) -> the issuance that begins there, one row per run of
-- numbers with the same fate, in order
--
-- fate: as in gapless.issuance_fates. No row if no issuance begins there. reserve: whether it was answered
-- from a lease; issued_at is then the moment of that answer. Takes no lock.
create or replace function gapless.issuance_report(p_series_id integer, p_turn integer, p_ordinal bigint)
returns table (
    series text, turn integer, ordinal bigint, serial bigint, count integer, block_id integer, epoch integer,
    issued_at timestamptz, reference text, hold_seconds integer, fate text, reference_erased boolean,
    reserve boolean
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.name, r.turn, r.ordinal, r.serial, r.count, r.block_id, l.epoch,
           coalesce(k.answered_at, l.issued_at), l.reference, l.hold_seconds, r.fate,
           l.reference_digest is not null, k.lease is not null
    from gapless.ledger l
    join gapless.series s using (series_id)
    left join gapless.lease_record k on k.series_id = l.series_id and k.ordinal = l.ordinal
        and k.turn = l.turn
    cross join lateral gapless.issuance_fates(l.series_id, l.turn, l.ordinal) r
    where l.series_id = p_series_id and l.turn = p_turn and l.ordinal = p_ordinal and l.key is not null;
$$;
