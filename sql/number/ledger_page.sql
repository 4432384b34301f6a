-- ledger_page(p_series_id, p_after, p_limit, p_reference, p_from, p_to, p_part, p_of, p_block_id) ->
-- ledger rows by ordinal
--
-- Rows that start after ordinal p_after, with that reference, of that block, and left in p_from…p_to (each
-- null: any). Without a reference only rows of the first turn, so that every number that ever left is in
-- exactly one; with one of all turns, and all that start at the last ordinal, maybe more than p_limit.
-- Rows that have an ordinal of share p_part of p_of: shares are dealt like cards, so they stay the same
-- however far the ledger grows. head_ordinal and head_turn say where the issuance begins. Takes no lock.
create or replace function gapless.ledger_page(
    p_series_id integer, p_after bigint, p_limit integer, p_reference text, p_from timestamptz,
    p_to timestamptz, p_part integer default 1, p_of integer default 1, p_block_id integer default null
)
returns table (
    ordinal bigint, serial bigint, count integer, block_id integer, head_ordinal bigint, head_turn integer,
    reference text, issued_at timestamptz, epoch integer, hold_seconds integer, reference_erased boolean
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_after bigint := p_after;
    v_last  bigint := 9223372036854775807;
begin
    if p_reference is not null then
        return query
            select l.ordinal, l.serial, l.count, l.block_id, coalesce(l.head_ordinal, l.ordinal),
                   coalesce(l.head_turn, l.turn), l.reference, l.issued_at, l.epoch, l.hold_seconds,
                   l.reference_digest is not null
            from gapless.ledger l
            where l.series_id = p_series_id and l.reference = p_reference and l.ordinal > p_after
              and (l.issued_at < p_from) is not true and (l.issued_at > p_to) is not true
              and (p_block_id is null or l.block_id = p_block_id)
            order by l.ordinal
            fetch first p_limit rows with ties;
    else
        if p_from is not null then
            v_after := greatest(v_after, gapless.ordinal_at(p_series_id, p_from) - 1);
        end if;
        if p_to is not null then
            v_last := least(v_last, gapless.ordinal_at(p_series_id, p_to + interval '1 microsecond') - 1);
        end if;
        if p_block_id is not null then
            -- Where nothing left of it, or there is no such block, both become null, and no row is found.
            select greatest(v_after, lower(u.ordinals) - 1), least(v_last, upper(u.ordinals) - 1)
            into v_after, v_last
            from gapless.block b
            cross join lateral gapless.used_part(b) u
            where b.series_id = p_series_id and b.block_id = p_block_id and not isempty(u.ordinals);
        end if;
        return query
            select l.ordinal, l.serial, l.count, l.block_id, coalesce(l.head_ordinal, l.ordinal),
                   coalesce(l.head_turn, 0), l.reference, l.issued_at, l.epoch, l.hold_seconds,
                   l.reference_digest is not null
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0 and l.ordinal > v_after and l.ordinal <= v_last
              and (p_of = 1 or l.count >= p_of or mod(p_part + p_of - mod(l.ordinal, p_of), p_of) < l.count)
            order by l.ordinal
            limit p_limit;
    end if;
end;
$$;
