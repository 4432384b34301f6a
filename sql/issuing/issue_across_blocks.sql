-- issue_across_blocks(p_series_id, p_count, p_owner_id, p_key, p_reference, p_contiguous, p_hold_seconds,
-- p_moment, p_skips_free) -> the ranges, or one row with a refusal
--
-- Issues one request that the open block alone cannot serve, that must stay in one range, or that arrives
-- while there are free numbers. Takes free numbers first, lowest first, then the rest of the open block, then
-- as many queued blocks as it needs (rollover). All or nothing: plans first, then takes. With p_contiguous,
-- takes one place that is long enough: it may skip free runs that are too short, but neither the rest of the
-- open block nor a queued block.
--
-- outcome: null, or GL009 series-exhausted, GL010 not-contiguous, GL021 overloaded while numbers on lease can
-- come back; then nothing was issued, and detail says what is missing. gapless.issue_requests must have
-- locked the series' counter row.
create or replace function gapless.issue_across_blocks(
    p_series_id    integer,
    p_count        integer,
    p_owner_id     integer,
    p_key          uuid,
    p_reference    text,
    p_contiguous   boolean,
    p_hold_seconds integer,
    p_moment       timestamptz, -- issued_at of the new rows
    p_skips_free   boolean -- no run of free numbers is long enough, so they need not be read
)
returns table (
    outcome text, turn integer, ordinal bigint, serial bigint, count integer, block_id integer, detail text
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_counter  gapless.counter;
    v_piece    record;
    v_left     bigint := p_count;
    v_fresh    bigint; -- the next fresh ordinal
    v_blocks   integer[] := '{}';
    v_counts   integer[] := '{}';
    v_ordinals bigint[] := '{}';
    v_serials  bigint[] := '{}';
    v_turns    integer[] := '{}';
    v_short    bigint; -- the room of the first piece that was too short; 0: only free runs were
    v_take     bigint;
    v_name     text;
    v_believed timestamptz := gapless.believed_moment(p_moment);
    v_again    boolean;
    v_rows     bigint;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    v_fresh := v_counter.next_ordinal;

    for v_piece in
        select f.block_id, f.ordinal, f.serial, f.room, true as again, false as opened
        from gapless.free_pieces(p_series_id, p_count, case when p_contiguous then p_count else 1 end) f
        where v_counter.waiting > 0 and not p_skips_free
        union all
        select v_counter.block_id, null, v_counter.next_serial,
               v_counter.last_serial - v_counter.next_serial + 1, false, true
        where v_counter.next_serial <= v_counter.last_serial
        union all
        (select b.block_id, null, b.first_serial, b.last_serial - b.first_serial + 1, false, false
         from gapless.block b
         where b.series_id = p_series_id and b.state = 'queued'
           and (b.valid_until is null or b.valid_until > v_believed)
         order by b.position)
    loop
        exit when v_left = 0;
        if p_contiguous and v_piece.room < v_left then
            v_short := coalesce(v_short, v_piece.room);
        end if;
        v_take := least(v_left, v_piece.room);
        v_blocks := v_blocks || v_piece.block_id;
        v_counts := v_counts || v_take::integer;
        v_ordinals := v_ordinals || coalesce(v_piece.ordinal, v_fresh);
        v_serials := v_serials || v_piece.serial;
        v_turns := v_turns
            || case when v_piece.again then v_counter.turn + 1 + cardinality(v_turns) else 0 end;
        v_fresh := v_fresh + case when v_piece.again then 0 else v_take end;
        v_left := v_left - v_take;
    end loop;

    if v_left > 0 and p_contiguous then
        -- The free runs were too short: nothing was taken of them, but they are numbers.
        v_left := greatest(v_left - v_counter.waiting, 0);
        v_short := coalesce(v_short, 0);
    end if;
    if v_left > 0 or v_short is not null then
        select s.name into v_name from gapless.series s where s.series_id = p_series_id;
        if v_left > 0 and gapless.lease_before_exhausted(p_series_id, v_left) then
            outcome := 'GL021';
            detail := format(
                'series %L has %s numbers remaining, %s requested; more are on lease (%s) and are being '
                'recalled: repeat in a moment',
                v_name, p_count - v_left, p_count,
                array_to_string((gapless.leases_told(p_series_id))[:5], '; ')
            );
        elsif v_left > 0 then
            outcome := 'GL009';
            detail := format(
                'series %L has %s numbers remaining, %s requested; load the next block: gapless block load '
                '%s FIRST LAST',
                v_name, p_count - v_left, p_count, v_name
            );
        else
            outcome := 'GL010';
            detail := format(
                'series %L has %s, %s requested as one range; repeat without contiguous, or with fewer',
                v_name,
                case when v_short > 0 then format('%s numbers in its next range', v_short)
                     else format('%s free numbers, in shorter ranges', v_counter.waiting) end,
                p_count
            );
        end if;
        return next;
        return;
    end if;

    -- Close expired queued blocks that are passed over, so that no queued block ever precedes an opened one.
    if v_turns[cardinality(v_turns)] = 0
       and v_blocks[cardinality(v_blocks)] is distinct from v_counter.block_id
    then
        perform gapless.block_end(b.block_id, 'expired', 'gapless')
        from gapless.block b
        join gapless.block o on o.series_id = b.series_id and o.block_id = v_blocks[cardinality(v_blocks)]
        where b.series_id = p_series_id and b.state = 'queued' and b.position < o.position
          and b.valid_until <= v_believed;
    end if;

    -- One INSERT for the free numbers, another for the fresh ones of all blocks, which the ledger's trigger
    -- opens.
    foreach v_again in array array[true, false] loop
        perform gapless.ledger_insert(array(
            select gapless.ledger_entry(
                p_series_id => p_series_id, p_ordinal => r.ordinal, p_serial => r.serial, p_count => r.count,
                p_block_id => r.block_id, p_owner_id => p_owner_id, p_epoch => v_counter.epoch,
                p_issued_at => p_moment, p_reference => p_reference,
                p_key => case when r.i = 1 then p_key end, p_turn => r.turn, p_hold_seconds => p_hold_seconds,
                p_head_ordinal => case when r.i > 1 then v_ordinals[1] end,
                p_head_turn => case when r.i > 1 then v_turns[1] end)
            from unnest(v_counts, v_ordinals, v_serials, v_blocks, v_turns)
                with ordinality as r (count, ordinal, serial, block_id, turn, i)
            where (r.turn > 0) = v_again
        ));
    end loop;
    return query
        select null::text, r.turn, r.ordinal, r.serial, r.count, r.block_id, null::text
        from unnest(v_turns, v_ordinals, v_serials, v_counts, v_blocks)
            with ordinality as r (turn, ordinal, serial, count, block_id, i)
        order by r.i;

    if p_contiguous or cardinality(v_blocks) > 1 then
        insert into gapless.issuance (
            series_id, turn, ordinal, count, contiguous, range_turns, range_ordinals
        )
        values (p_series_id, v_turns[1], v_ordinals[1], p_count, p_contiguous, v_turns, v_ordinals);
        get diagnostics v_rows = row_count;
        perform gapless.expect_rows(v_rows, 1, 'issuance');
    end if;
    if p_hold_seconds is not null then
        insert into gapless.hold (series_id, turn, ordinal, expires_at, held)
        select p_series_id, v_turns[1], v_ordinals[1], p_moment + make_interval(secs => p_hold_seconds),
               gapless.change_state(
                   p_series_id => p_series_id,
                   p_numbers => range_agg(int8range(w.ordinal, w.ordinal + w.count)),
                   p_from => array['issued'], p_to => 'held'
               )
        from unnest(v_ordinals, v_counts) as w (ordinal, count);
        get diagnostics v_rows = row_count;
        perform gapless.expect_rows(v_rows, 1, 'hold');
    end if;
end;
$$;
