-- issuance_ranges(p_series_id, p_turn, p_ordinal) -> the ranges of the issuance that begins there, in order
--
-- No row when no issuance begins there.
create or replace function gapless.issuance_ranges(p_series_id integer, p_turn integer, p_ordinal bigint)
returns table (turn integer, ordinal bigint, serial bigint, count integer, block_id integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select l.turn, l.ordinal, l.serial, l.count, l.block_id
    from (
        select r.turn, r.ordinal, r.k
        from gapless.issuance s
        cross join unnest(s.range_turns, s.range_ordinals) with ordinality as r (turn, ordinal, k)
        where s.series_id = p_series_id and s.turn = p_turn and s.ordinal = p_ordinal
        union all
        select p_turn, p_ordinal, 1
        where not exists (
            select from gapless.issuance s
            where s.series_id = p_series_id and s.turn = p_turn and s.ordinal = p_ordinal
        )
    ) r
    join gapless.ledger l on l.series_id = p_series_id and l.turn = r.turn and l.ordinal = r.ordinal
    where r.k > 1 or l.key is not null
    order by r.k;
$$;
