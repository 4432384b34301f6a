-- find_or_open(p_series_ids, p_totals, p_serializable, p_known_epoch, p_known_counter, p_known_ordinals,
-- p_known_turns) -> the ctid of each series' counter, looked up and noted (gapless.note_counter); null if
-- there is no such series
--
-- The fast paths call this if a counter has moved or is not ready. If the open block is used up, or none is
-- open yet, opens the next queued block, so that its first number takes the fast path, too. Opens it only if
-- the numbers are then certain to be issued: in the service's batches (p_serializable), if the block has room
-- for the total (null: look only), has not expired, and the counter meets every other condition of
-- gapless.issue_plain. Otherwise changes nothing, and the batch is not plain.
--
-- Handles all series in the same few statements: updating a block costs less than preparing its checks. Locks
-- the counters for which it opens a block until COMMIT, so their queues cannot change; never waits.
create or replace function gapless.find_or_open(
    p_series_ids integer[], p_totals bigint[], p_serializable boolean, p_known_epoch integer,
    p_known_counter oid, p_known_ordinals bigint[], p_known_turns integer[]
)
returns tid[]
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- either plan would take predicate locks on other series' rows
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
        select array_agg(d.block_id), array_agg(d.next_ordinal),
               array_agg(d.used_id) filter (where d.was_open)
        into v_blocks, v_ordinals, v_used
        from (
            select b.block_id, c.next_ordinal, c.block_id as used_id,
                   (
                       select u.state = 'open'
                       from gapless.block u
                       where u.series_id = c.series_id and u.block_id = c.block_id
                   ) as was_open
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
              and c.turn >= coalesce(w.known_turn, 0) and p_known_epoch in (0, c.epoch)
              and (c.tableoid = p_known_counter) is not false
              and b.last_serial - b.first_serial >= w.total - 1
              and (b.valid_until <= greatest(v_now, c.last_issued_at)) is not true
            for update of c skip locked
        ) d;
    end if;
    if v_used is not null then
        update gapless.block b set state = 'exhausted' where b.block_id = any(v_used);
    end if;
    if v_blocks is not null then
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
