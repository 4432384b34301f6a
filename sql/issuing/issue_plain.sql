-- issue_plain(p_series_id, p_offsets, p_counts, p_owners, p_keys, p_references, p_serializable, p_holds,
-- p_alone, p_moment, p_known_epoch, p_known_counter, p_known_ordinal, p_known_turn) -> one row, or none
--
-- The fast path: a batch of requests of one series, all with new keys, that fit into the open block. Element
-- k of the arrays is request k; its offset is the sum of the counts before it (the caller adds them up, which
-- costs PostgreSQL nothing, and the ledger's trigger refuses them if they are wrong). Inserts one ledger row
-- per request and returns where the first one starts; request k starts p_offsets[k] later.
--
-- If the open block is used up, or none is open yet, opens the next one first (gapless.find_or_open). No row:
-- nothing was done, because something is not plain (series paused, block too short or expired, no block, free
-- numbers that go first, a clock that was set back) or the series is behind what the caller knows (p_known_…,
-- as in gapless.refuse_forgotten); the caller then uses gapless.issue_requests. Raises GL001 if the arrays
-- differ in length, GL019 if the counter does not follow the rows, GL020 if rows do not arrive, 23505
-- (key_is_spent_once) if a key was seen before: the batch rolls back and goes there, too. The key index is
-- never read here: that would take predicate locks on the leaf pages every other writer inserts into.
-- issued_at is the moment of the call (the transaction may have begun long ago), and never before the series'
-- last one. Locks the series' counter row until COMMIT, and its tally for holds. Never waits for the counter,
-- nor, in the service's batches (p_serializable), for the tally: batches of other series are queued behind
-- this one on its connection. Raises 55P03 while another transaction holds one of these rows, 55006 while
-- another instance issues (p_alone).
create or replace function gapless.issue_plain(
    p_series_id  integer,
    p_offsets    bigint[],
    p_counts     integer[],
    p_owners     integer[],
    p_keys       uuid[],
    p_references text[], -- null altogether when no request has one
    p_serializable boolean,
    -- seconds, null where nothing is held; null altogether when no request holds
    p_holds      integer[] default null,
    -- the session does not hold the series' advisory lock: raise 55006 if another session does
    p_alone      boolean default false,
    -- from a caller that has checked valid_until (gapless.next_moment); null: read the clock
    p_moment     timestamptz default null,
    p_known_epoch   integer default 0,
    p_known_counter oid default null,
    p_known_ordinal bigint default 0,
    p_known_turn    integer default 0
)
returns table (ordinal bigint, serial bigint, block_id integer, epoch integer, issued_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_requests integer := cardinality(p_counts);
    v_total    bigint := p_offsets[v_requests] + p_counts[v_requests];
    v_arrived  bigint;
    v_place    tid;
    v_looked   boolean; -- for the counter, once
    v_moment   timestamptz := least(p_moment, clock_timestamp());
    v_salts    uuid[];
begin
    -- gapless.assert_safe_to_issue says why. Tested here first, because a call costs every batch some
    -- microseconds.
    if pg_is_in_recovery() or current_setting('synchronous_commit') not in ('on', 'remote_apply')
       or (p_serializable and current_setting('transaction_isolation') <> 'serializable')
    then
        perform gapless.assert_safe_to_issue(p_serializable);
    end if;

    -- unnest pads shorter arrays with nulls: a number could then be held without a hold.
    if cardinality(p_offsets) <> v_requests or cardinality(p_owners) <> v_requests
       or cardinality(p_keys) <> v_requests
       or cardinality(p_references) <> v_requests or cardinality(p_holds) <> v_requests
    then
        raise exception 'the arrays of a batch of % requests differ in length', v_requests
            using errcode = 'GL001';
    end if;

    -- Another instance is issuing; it locks the series before its transaction. Let it finish, then do the
    -- same. We keep our lock until COMMIT, so that it waits for us, too.
    if p_alone and not pg_try_advisory_xact_lock(28263, p_series_id) then
        raise exception 'another instance issues from series %', p_series_id using errcode = 'object_in_use';
    end if;

    -- "+ 0" keeps the planner from the index, which is what gapless.counter_place is for. If last_issued_at
    -- is over an hour ahead, gapless.next_moment goes back.
    loop
        select c.ctid, c.next_ordinal, c.next_serial, c.block_id, c.epoch,
               case
               when c.last_issued_at > v_moment + interval '1 hour' then v_moment
               else greatest(v_moment, c.last_issued_at)
               end
        into v_place, ordinal, serial, block_id, epoch, issued_at
        from gapless.counter c
        where c.ctid = gapless.counter_place(p_series_id) and c.series_id + 0 = p_series_id
          and not c.paused and not c.fenced and c.waiting = 0
          and (
              p_moment is not null
                  or (c.valid_until < greatest(v_moment, c.last_issued_at)) is not true
                      and c.last_issued_at <= v_moment + interval '1 hour'
          )
          and c.last_serial - c.next_serial >= v_total - 1
          and c.next_ordinal > p_known_ordinal and c.turn >= p_known_turn and p_known_epoch in (0, c.epoch)
          and (c.tableoid = p_known_counter) is not false
        for update nowait;
        exit when found;
        if v_looked then -- not plain, or no such series
            return;
        end if;
        v_looked := true;
        perform gapless.find_or_open(
            p_series_ids => array[p_series_id], p_totals => array[v_total],
            p_serializable => p_serializable, p_known_epoch => p_known_epoch,
            p_known_counter => p_known_counter, p_known_ordinals => array[p_known_ordinal],
            p_known_turns => array[p_known_turn]
        );
    end loop;

    -- Not through gapless.ledger_insert: it says why. A lone request, as in a quiet series, needs no unnest.
    if v_requests = 1 then
        insert into gapless.ledger (
            series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference,
            reference_salt, hold_seconds
        )
        values (
            p_series_id, p_counts[1], issue_plain.ordinal + p_offsets[1], issue_plain.serial + p_offsets[1],
            p_keys[1], issue_plain.issued_at, issue_plain.block_id, p_owners[1], issue_plain.epoch,
            p_references[1], case when p_references[1] is not null then gen_random_uuid() end, p_holds[1]
        );
    else
        if p_references is not null then
            v_salts := array(
                select case when r is not null then gen_random_uuid() end from unnest(p_references) as r
            );
        end if;
        insert into gapless.ledger (
            series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference,
            reference_salt, hold_seconds)
        select p_series_id, unnest(p_counts), issue_plain.ordinal + unnest(p_offsets),
               issue_plain.serial + unnest(p_offsets), unnest(p_keys), issue_plain.issued_at,
               issue_plain.block_id, unnest(p_owners), issue_plain.epoch, unnest(p_references),
               unnest(v_salts), unnest(p_holds);
    end if;
    get diagnostics v_arrived = row_count;
    if v_arrived <> v_requests then
        perform gapless.expect_rows(v_arrived, v_requests, 'ledger');
    end if;
    -- The ledger's trigger moves the counter and notes its new place.
    if gapless.counter_place(p_series_id) is not distinct from v_place then
        perform gapless.refuse_unguarded();
    end if;
    if p_holds is not null then
        if p_serializable then
            perform from gapless.tally t where t.series_id = p_series_id for update nowait;
        end if;
        perform gapless.hold_run(
            p_series_id => p_series_id, p_ordinal => ordinal, p_issued_at => issued_at,
            p_offsets => p_offsets, p_counts => p_counts, p_holds => p_holds
        );
    end if;

    return next;
end;
$$;
