-- find_or_open(p_series_ids, p_totals, p_serializable, p_known_epoch, p_known_counter, p_known_ordinals,
-- p_known_turns) -> where each series' counter lies, looked up and noted (gapless.note_counter); null: there
-- is no such series
--
-- For the fast paths, where a counter is not, or not fit, where this session saw it last. When nothing is
-- left of the open block, or none was opened yet, the next one in the queue opens here, so that the first
-- number of a block is as plain as the second. Only where the numbers then certainly leave: for the service's
-- batches, when the block has room for the total (null: look only), its time is not over, and the counter is
-- fit in everything else that gapless.issue_plain asks. Else nothing is changed, and the batch is not plain.
--
-- All series in the same few statements: an update of a block costs less than to prepare its constraints.
-- Locks the counters it opens a block for until COMMIT: the queue does not change under it. Waits for none.
create or replace function gapless.find_or_open(
    p_series_ids integer[], p_totals bigint[], p_serializable boolean, p_known_epoch integer,
    p_known_counter oid, p_known_ordinals bigint[], p_known_turns integer[]
)
returns tid[]
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- each of these would take predicate locks on the rows of other series
set enable_mergejoin = off
as $$
declare
    v_now      timestamptz := clock_timestamp();
    v_blocks   integer[];
    v_ordinals bigint[];
    v_used     integer[];
    v_places   tid[];
begin
    if p_serializable then
        select array_agg(d.block_id), array_agg(d.next_ordinal), array_agg(d.used_id)
        into v_blocks, v_ordinals, v_used
        from (
            select b.block_id, c.next_ordinal, c.block_id as used_id
            from unnest(p_series_ids, p_totals, p_known_ordinals, p_known_turns)
                 as w (series_id, total, known_ordinal, known_turn)
            join gapless.counter c on c.series_id = w.series_id
            cross join lateral (
                select *
                from gapless.block b
                where b.series_id = c.series_id and b.state = 'queued'
                order by b.position
                limit 1
            ) b
            where (c.next_serial <= c.last_serial) is not true
              and not c.paused and not c.fenced and c.waiting = 0
              and c.last_issued_at <= v_now + interval '1 hour'
              and c.next_ordinal > coalesce(w.known_ordinal, 0)
              and (c.epoch, c.turn) >= (p_known_epoch, coalesce(w.known_turn, 0))
              and (c.tableoid = p_known_counter) is not false
              and b.last_serial - b.first_serial >= w.total - 1
              and (b.valid_until <= greatest(v_now, c.last_issued_at)) is not true
            for update of c skip locked
        ) d;
    end if;
    if v_blocks is not null then
        update gapless.block b set state = 'exhausted' where b.block_id = any(v_used) and b.state = 'open';
        update gapless.block b set state = 'open', first_ordinal = w.ordinal
        from unnest(v_blocks, v_ordinals) as w (block_id, ordinal)
        where b.block_id = w.block_id;
        update gapless.counter c
        set block_id = b.block_id, next_serial = b.first_serial, last_serial = b.last_serial,
            valid_until = b.valid_until
        from gapless.block b
        where b.block_id = any(v_blocks) and c.series_id = b.series_id;
    end if;
    select array_agg(f.ctid order by f.place)
    into v_places
    from (
        select w.place, c.ctid, gapless.note_counter(w.series_id, c.ctid)
        from unnest(p_series_ids) with ordinality as w (series_id, place)
        left join gapless.counter c on c.series_id = w.series_id
    ) f;
    return v_places;
end;
$$;
