-- hold_report(p_series_id, p_turn, p_ordinal) -> what became of the numbers of the hold that begins there, in
-- runs
--
-- fate: held, confirmed, released or expired (by the database's clock, swept or not). No row when the
-- issuance is no hold. Takes no lock.
create or replace function gapless.hold_report(p_series_id integer, p_turn integer, p_ordinal bigint)
returns table (fate text, serial bigint, count bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select f.fate, r.serial + lower(n.run) - r.ordinal, upper(n.run) - lower(n.run)
    from gapless.hold h
    cross join lateral (
        values (case when h.expires_at > now() then 'held' else 'expired' end, h.held),
               ('confirmed', h.confirmed), ('released', h.released), ('expired', h.expired)
    ) f (fate, numbers)
    cross join lateral gapless.issuance_ranges(p_series_id, p_turn, p_ordinal) r
    cross join lateral unnest(f.numbers * int8multirange(int8range(r.ordinal, r.ordinal + r.count))) n (run)
    where h.series_id = p_series_id and h.turn = p_turn and h.ordinal = p_ordinal
    order by 1, lower(n.run);
$$;
