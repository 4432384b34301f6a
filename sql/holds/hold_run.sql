-- hold_run(p_series_id, p_ordinal, p_issued_at, p_offsets, p_counts, p_holds) -> nothing
--
-- Holds the ranges of a fresh run for which p_holds has seconds: inserts one row each, and changes the state
-- of all at once. If the whole run is held, as for label printing, its numbers are one range without a state
-- yet, so it skips the look-ups of gapless.change_state, which take a third of the time of a hold. Locks the
-- tally.
create or replace function gapless.hold_run(
    p_series_id integer, p_ordinal bigint, p_issued_at timestamptz, p_offsets bigint[], p_counts integer[],
    p_holds integer[]
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    -- the ordinal after the run
    v_end   bigint := p_ordinal + p_offsets[cardinality(p_offsets)] + p_counts[cardinality(p_counts)];
    v_chunk bigint := gapless.chunk_of(p_ordinal);
    v_held  int8multirange;
    v_arrived bigint;
begin
    if array_position(p_holds, null) is null then
        update gapless.tally t set held = t.held + (v_end - p_ordinal) where t.series_id = p_series_id;
        while v_chunk <= gapless.chunk_of(v_end - 1) loop
            insert into gapless.number_state as s (series_id, chunk, state, numbers)
            values (
                p_series_id, v_chunk, 'held',
                int8multirange(int8range(p_ordinal, v_end) * gapless.chunk_range(v_chunk))
            )
            on conflict (series_id, chunk, state) do update set numbers = s.numbers + excluded.numbers;
            get diagnostics v_arrived = row_count;
            perform gapless.expect_rows(v_arrived, 1, 'number_state');
            v_chunk := v_chunk + 1;
        end loop;
    else
        select range_agg(int8range(p_ordinal + w."offset", p_ordinal + w."offset" + w.count)) into v_held
        from unnest(p_offsets, p_counts, p_holds) as w ("offset", count, hold)
        where w.hold is not null;
        if v_held is null then
            return;
        end if;
        perform gapless.change_state(
            p_series_id => p_series_id, p_numbers => v_held, p_from => array['issued'], p_to => 'held'
        );
    end if;
    insert into gapless.hold (series_id, turn, ordinal, expires_at, held)
    select p_series_id, 0, p_ordinal + w."offset", gapless.hold_end(p_issued_at, w.hold),
           int8multirange(int8range(p_ordinal + w."offset", p_ordinal + w."offset" + w.count))
    from unnest(p_offsets, p_counts, p_holds) as w ("offset", count, hold)
    where w.hold is not null;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(
        v_arrived, cardinality(p_holds) - cardinality(array_positions(p_holds, null)), 'hold'
    );
end;
$$;
