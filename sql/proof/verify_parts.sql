-- verify_parts(p_series_id) -> one row for each block that the ledger names in turn 0, of one series or
-- (null) of all
--
-- The one pass over the ledger that verify needs. RETURN QUERY may use parallel workers, which a cursor, such
-- as that of FOR, never does; and reading all series together is one sequential scan, however their rows are
-- interleaved. There are few groups: one per block.
create or replace function gapless.verify_parts(p_series_id integer) returns setof gapless.ledger_part
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = on -- off in our sessions
set jit = on            -- off in our sessions, too; saves a third of the time of a large ledger
set enable_sort = off   -- never sort the ledger, however many groups are expected
set work_mem = '64MB'
set plan_cache_mode = force_custom_plan -- reads one series of many through an index
as $$
declare
    v_seed bigint := (random() * 9007199254740991)::bigint;
begin
    return query
        select l.series_id, l.block_id, count(*), sum(l.count), min(l.ordinal), max(l.ordinal + l.count),
               min(l.serial - l.ordinal), max(l.serial - l.ordinal),
               sum(l.count) = max(l.ordinal + l.count) - min(l.ordinal)
               and bit_xor(gapless.hash_of(l.ordinal, v_seed) # gapless.hash_of(l.ordinal + l.count, v_seed))
                   = gapless.hash_of(min(l.ordinal), v_seed) # gapless.hash_of(
                       max(l.ordinal + l.count), v_seed
                   ),
                   max(l.epoch), count(l.head_ordinal),
               count(*) filter (
                   where l.count < 1 or (l.key is null) = (l.head_ordinal is null)
                     or (l.head_ordinal is null) <> (l.head_turn is null)
                      or l.hold_seconds < 1
               ),
               v_seed,
               sum(case when l.hold_seconds is not null then gapless.hold_points(
                   p_turn => coalesce(l.head_turn, 0), p_ordinal => coalesce(l.head_ordinal, l.ordinal),
                   p_first => l.ordinal, p_end => l.ordinal + l.count, p_seed => v_seed) end),
               sum(case when l.hold_seconds is not null and l.key is not null then gapless.hold_promise(
                   p_turn => 0, p_ordinal => l.ordinal,
                   p_expires_at => gapless.hold_end(l.issued_at, l.hold_seconds), p_seed => v_seed) end)
        from gapless.ledger l
        where l.turn = 0 and (p_series_id is null or l.series_id = p_series_id)
        group by l.series_id, l.block_id;
end;
$$;
