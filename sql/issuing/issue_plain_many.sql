-- issue_plain_many(p_series_ids, p_totals, p_places, p_offsets, p_counts, p_owners, p_keys, p_references,
-- p_serializable, p_known_epoch, p_known_counter, p_known_ordinals, p_known_turns) -> one row per series, or
-- none
--
-- The fast path for requests of several series in one transaction: gapless.issue_plain for each, in one
-- insert, so that many quiet series share the price of a COMMIT. p_series_ids lists each series once, in
-- ascending order, p_totals the sum requested of each. Element k of the other arrays is request k: the place
-- of its series in p_series_ids (from 1), its offset within that series' sum, and so on. Nothing is held.
-- Returns rows in the order of p_series_ids.
--
-- A series without a row was left out, and nothing was done to it: its counter is locked, another instance
-- issues from it, something in it is not plain, or it is behind what the caller knows (p_known_ordinals and
-- p_known_turns, one per series; null: nothing); the caller retries that series by itself. Raises GL001 if
-- the arrays differ in length, GL019 if a counter does not follow the rows, GL020 if rows do not arrive,
-- 23505 (key_is_spent_once) if a key was seen before; the caller then retries each series by itself. Locks
-- the counter rows of the issued series until COMMIT, in the order of series_id, and never waits for a lock.
create or replace function gapless.issue_plain_many(
    p_series_ids   integer[],
    p_totals       bigint[],
    p_places       integer[],
    p_offsets      bigint[],
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_serializable boolean,
    p_known_epoch    integer default 0,
    p_known_counter  oid default null,
    p_known_ordinals bigint[] default null,
    p_known_turns    integer[] default null
)
returns table (
    series_id integer, ordinal bigint, serial bigint, block_id integer, epoch integer, issued_at timestamptz
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_id       integer;
    v_places   tid[] := array(select gapless.counter_place(i) from unnest(p_series_ids) as u (i));
    v_ids      integer[];
    v_ordinals bigint[];
    v_serials  bigint[];
    v_blocks   integer[];
    v_epochs   integer[];
    v_now      timestamptz := clock_timestamp();
    v_moments  timestamptz[]; -- of each series, as in gapless.issue_plain
    v_requests integer := cardinality(p_counts);
    v_arrived  bigint;
    v_theirs   integer[] := '{}'; -- another instance issues from them
begin
    perform gapless.assert_safe_to_issue(p_serializable);
    if cardinality(p_totals) <> cardinality(p_series_ids) or cardinality(p_places) <> v_requests
       or cardinality(p_offsets) <> v_requests
       or cardinality(p_owners) <> v_requests or cardinality(p_keys) <> v_requests
       or cardinality(p_references) <> v_requests
       or cardinality(p_known_ordinals) <> cardinality(p_series_ids)
       or cardinality(p_known_turns) <> cardinality(p_series_ids)
    then
        raise exception 'the arrays of a batch of % requests differ in length', v_requests
            using errcode = 'GL001';
    end if;
    -- Leave out series from which another instance issues, as in gapless.issue_plain.
    foreach v_id in array p_series_ids loop
        if not pg_try_advisory_xact_lock(28263, v_id) then
            v_theirs := v_theirs || v_id;
        end if;
    end loop;

    -- "+ 0" keeps the planner from the index, which is what gapless.counter_place is for.
    for v_pass in 1..2 loop
        select array_agg(l.series_id), array_agg(l.next_ordinal), array_agg(l.next_serial),
               array_agg(l.block_id), array_agg(l.epoch), array_agg(greatest(v_now, l.last_issued_at)),
               array_agg(l.ctid)
        into v_ids, v_ordinals, v_serials, v_blocks, v_epochs, v_moments, v_places
        from (
            select c.ctid, c.*
            from gapless.counter c
            cross join lateral array_position(p_series_ids, c.series_id) as a (place)
            where c.ctid = any(v_places) and c.series_id + 0 = any(p_series_ids)
              and c.series_id <> all(v_theirs)
              and not c.paused and not c.fenced and c.waiting = 0
              and (c.valid_until < greatest(v_now, c.last_issued_at)) is not true
              and c.last_issued_at <= v_now + interval '1 hour' -- as in gapless.next_moment
              and c.last_serial - c.next_serial >= p_totals[a.place] - 1
              and c.next_ordinal > coalesce(p_known_ordinals[a.place], 0)
              and c.turn >= coalesce(p_known_turns[a.place], 0) and p_known_epoch in (0, c.epoch)
              and (c.tableoid = p_known_counter) is not false
            order by c.series_id + 0
            for update of c skip locked
        ) l;
        exit when v_pass = 2 or v_ids = p_series_ids;
        -- The other counters are not plain, or have moved.
        v_places := v_places || (
            select gapless.find_or_open(
                p_series_ids => array_agg(w.series_id),
                p_totals => array_agg(case when w.series_id <> all(v_theirs) then w.total end),
                p_serializable => p_serializable, p_known_epoch => p_known_epoch,
                p_known_counter => p_known_counter, p_known_ordinals => array_agg(w.ordinal),
                p_known_turns => array_agg(w.turn)
            )
            from unnest(p_series_ids, p_totals, p_known_ordinals, p_known_turns)
                 as w (series_id, total, ordinal, turn)
            where (w.series_id = any(v_ids)) is not true
        );
    end loop;
    if v_ids is null then
        return;
    elsif v_ids <> p_series_ids then
        return query
            select m.*
            from (
                select array_agg(array_position(v_ids, p_series_ids[w.place])) as places,
                       array_agg(w."offset") as offsets, array_agg(w.count) as counts,
                       array_agg(w.owner) as owners, array_agg(w.key) as keys,
                       array_agg(w.reference) as "references"
                from (
                    select unnest(p_places) as place, unnest(p_offsets) as "offset",
                           unnest(p_counts) as count, unnest(p_owners) as owner, unnest(p_keys) as key,
                           unnest(p_references) as reference
                ) w
                where p_series_ids[w.place] = any(v_ids)
            ) a
            cross join lateral gapless.issue_plain_many(
                p_series_ids => v_ids,
                p_totals => (
                    select array_agg(p_totals[array_position(p_series_ids, i)] order by o)
                    from unnest(v_ids) with ordinality as u (i, o)
                ),
                p_places => a.places, p_offsets => a.offsets, p_counts => a.counts, p_owners => a.owners,
                p_keys => a.keys, p_references => a."references", p_serializable => p_serializable) m;
        return;
    end if;

    -- Not through gapless.ledger_insert, as in gapless.issue_plain.
    insert into gapless.ledger (
        series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference,
        reference_salt
    )
    select v_ids[w.place], w.count, v_ordinals[w.place] + w."offset", v_serials[w.place] + w."offset", w.key,
           v_moments[w.place], v_blocks[w.place], w.owner, v_epochs[w.place], w.reference,
           case when w.reference is not null then gen_random_uuid() end
    from (
        select unnest(p_places) as place, unnest(p_offsets) as "offset", unnest(p_counts) as count,
               unnest(p_owners) as owner, unnest(p_keys) as key, unnest(p_references) as reference
    ) w;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, v_requests, 'ledger');
    if exists (
        select from unnest(v_ids) i where gapless.counter_place(i) = any(v_places)
    ) then
        perform gapless.refuse_unguarded();
    end if;

    return query
        select unnest(v_ids), unnest(v_ordinals), unnest(v_serials), unnest(v_blocks), unnest(v_epochs),
               unnest(v_moments);
end;
$$;
