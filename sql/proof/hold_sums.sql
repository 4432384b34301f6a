-- hold_sums(p_series_id, p_seed) -> sums of which numbers are in which hold by the holds' own sets, and of
-- when the holds expire; and both sums by the ledger for turns above 0 (gapless.hold_points,
-- gapless.hold_promise)
--
-- Only gapless.verify_holds calls it. A function of its own, so that it may use parallel workers: see
-- gapless.verify_parts.
create or replace function gapless.hold_sums(p_series_id integer, p_seed bigint)
returns table (numbers numeric, promised numeric, numbers_again numeric, promised_again numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = on -- off in our sessions
set jit = off
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
        select n.numbers, p.promised, a.numbers, a.promised
        from (
            -- The bounds of a range without end are null, and add nothing: it counts, and equals no issuance.
            select coalesce(sum(gapless.hold_points(
                       p_turn => h.turn, p_ordinal => h.ordinal, p_first => lower(h.run),
                       p_end => upper(h.run), p_seed => p_seed)), 0)
                   + count(*) filter (where lower_inf(h.run) or upper_inf(h.run)) as numbers
            from (
                select h.turn, h.ordinal,
                       unnest(unnest(array[h.held, h.confirmed, h.released, h.expired])) as run
                from gapless.hold h
                where h.series_id = p_series_id
            ) h
        ) n
        cross join (
            select coalesce(
                sum(
                    gapless.hold_promise(
                        p_turn => h.turn, p_ordinal => h.ordinal, p_expires_at => h.expires_at,
                        p_seed => p_seed
                    )
                ),
                0
            ) as promised
            from gapless.hold h
            where h.series_id = p_series_id
        ) p
        cross join (
            select coalesce(sum(gapless.hold_points(
                       p_turn => coalesce(l.head_turn, l.turn),
                       p_ordinal => coalesce(l.head_ordinal, l.ordinal), p_first => l.ordinal,
                       p_end => l.ordinal + l.count, p_seed => p_seed)), 0) as numbers,
                   coalesce(sum(case when l.key is not null then gapless.hold_promise(
                       p_turn => l.turn, p_ordinal => l.ordinal,
                       p_expires_at => gapless.hold_end(l.issued_at, l.hold_seconds),
                       p_seed => p_seed) end), 0) as promised
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn > 0 and l.hold_seconds is not null
        ) a;
end;
$$;
