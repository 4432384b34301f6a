-- issue_requests(p_series_id, p_counts, p_owners, p_keys, p_references, p_contiguous, p_serializable,
-- p_holds, p_alone, p_known_epoch, p_known_counter, p_known_ordinal, p_known_turn) -> rows per request
--
-- Answers a batch of any requests of one series. A key seen before gets the numbers of its first answer, each
-- run with its fate, or a refusal if the request differs; a new key is issued numbers, across blocks if need
-- be. Element k of the arrays is request k; new requests are served in this order. A refused request changes
-- nothing and does not affect the others.
--
-- Of an erased reference only its existence is compared: nothing else is known of it.
--
-- Returns one row per range, the ranges of a request in order; request counts from 1. outcome: null, or the
-- SQLSTATE of the refusal (then the only row of its request, with detail): GL009 series-exhausted, GL010
-- not-contiguous, GL011 series-paused, GL019 fenced, GL016 idempotency-key-reused, GL021 overloaded while
-- numbers on lease can come back. fate: null for a range that stands as it was issued, else its state now
-- (gapless.issuance_fates), read under the lock of the counter; the caller leaves out what is gone. A replay
-- of an answer from a lease has the detail 'reserve' and the moment of that answer. Raises GL005 if the
-- series does not exist, GL001 if the arrays differ in length, GL019 if the series is behind what the caller
-- knows (p_known_…, see gapless.refuse_forgotten), GL020 in an unsafe session or if rows do not arrive.
--
-- A transaction with a replay always writes, so that its COMMIT waits for the synchronous standby as the
-- first one did; a read-only replay could return a number that a failover still loses. If new requests of the
-- batch are all issued, their rows are that write; otherwise the replay writes counter.replays. It does not
-- always do so, because after a second update of the counter in a transaction PostgreSQL checks all its
-- foreign keys, which costs a tenth of a batch. Locks the series' counter row until COMMIT; every issue of
-- the series queues up there. The service's batches (p_serializable) wait neither for it nor for the tally,
-- because batches of other series are queued behind them on the connection: they raise 55P03 while another
-- transaction holds one of these rows, 55006 while another instance issues (p_alone).
create or replace function gapless.issue_requests(
    p_series_id    integer,
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_contiguous   boolean[],
    p_serializable boolean,
    -- seconds, null where nothing is held; null altogether when no request holds
    p_holds        integer[] default null,
    -- the session does not hold the series' advisory lock: raise 55006 if another session does
    p_alone        boolean default false,
    p_known_epoch   integer default 0,
    p_known_counter oid default null,
    p_known_ordinal bigint default 0,
    p_known_turn    integer default 0
)
returns table (
    request integer, outcome text, replayed boolean, turn integer, ordinal bigint, serial bigint,
    count integer, block_id integer, epoch integer, issued_at timestamptz, detail text,
    reference_erased boolean, fate text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- a scan of a small ledger would take a predicate lock on all of it
as $$
#variable_conflict use_column
declare
    v_counter   gapless.counter;
    v_moment    timestamptz; -- issued_at of the new rows
    v_over      boolean;     -- the open block is past its time
    -- the requests whose key was spent before: their positions, the rows that hold their keys, in what each
    -- request differs ('': in nothing), whether its only range stands as it was issued, when it was answered
    -- from a lease (null: it was not)
    v_spent     integer[];
    v_rows      gapless.ledger[];
    v_differs   text[];
    v_untouched boolean[];
    v_answered  timestamptz[];
    -- the new requests: the number of different keys, the sum of their counts
    v_new_keys  bigint;
    v_new_total bigint;
    v_new       integer[]; -- their positions, and what to insert for them
    v_entries   gapless.ledger_entry[];
begin
    perform gapless.assert_safe_to_issue(p_serializable);
    if cardinality(p_owners) <> cardinality(p_counts) or cardinality(p_keys) <> cardinality(p_counts)
       or cardinality(p_references) <> cardinality(p_counts)
       or cardinality(p_contiguous) <> cardinality(p_counts)
       or cardinality(p_holds) <> cardinality(p_counts)
    then
        raise exception 'the arrays of a batch of % requests differ in length', cardinality(p_counts)
            using errcode = 'GL001';
    end if;

    -- Another instance issues, as in gapless.issue_plain.
    if p_alone and not pg_try_advisory_xact_lock(28263, p_series_id) then
        raise exception 'another instance issues from series %', p_series_id using errcode = 'object_in_use';
    end if;

    if p_serializable then
        perform from gapless.counter c where c.series_id = p_series_id for update nowait;
    end if;
    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    if not found or v_counter.next_ordinal <= p_known_ordinal
       or v_counter.turn < p_known_turn or p_known_epoch not in (0, v_counter.epoch)
       or 'gapless.counter'::regclass <> p_known_counter
    then
        perform gapless.refuse_forgotten(
            p_series_id => p_series_id, p_epoch => p_known_epoch, p_counter => p_known_counter,
            p_ordinal => p_known_ordinal, p_turn => p_known_turn);
    end if;
    if v_counter.series_id is null then
        raise exception 'series % does not exist', p_series_id using errcode = 'GL005';
    end if;
    v_moment := gapless.next_moment(v_counter);
    v_over := v_counter.valid_until < v_moment
              and v_counter.valid_until < gapless.believed_moment(v_moment);
    if p_serializable and (v_counter.waiting > 0 or p_holds is not null or v_over) then
        perform from gapless.tally t where t.series_id = p_series_id for update nowait;
    end if;
    if v_over
       and v_counter.next_serial <= v_counter.last_serial
       and not v_counter.fenced
    then
        perform gapless.block_end(v_counter.block_id, 'expired', 'gapless');
        select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    end if;
    if v_counter.waiting > 0 and not v_counter.fenced then
        perform gapless.void_free_of_expired_blocks(p_series_id, gapless.believed_moment(v_moment));
    end if;

    -- The limits ensure one index descent per key, whatever the planner thinks of the tables' sizes.
    select coalesce(array_agg(k.request) filter (where l.key is not null), '{}'),
           array_agg(l.l) filter (where l.key is not null),
           array_agg(l.differs) filter (where l.key is not null),
           array_agg(l.untouched) filter (where l.key is not null),
           array_agg(l.answered_at) filter (where l.key is not null),
           count(distinct k.key) filter (where l.key is null), sum(k.count) filter (where l.key is null)
    into v_spent, v_rows, v_differs, v_untouched, v_answered, v_new_keys, v_new_total
    from (
        select generate_subscripts(p_keys, 1) as request, unnest(p_keys) as key, unnest(p_owners) as owner_id,
               unnest(p_counts) as count
    ) k
    left join lateral (
        select l, l.key,
               concat_ws(', ',
                   case when l.series_id <> p_series_id then 'series' end,
                   case when coalesce(s.count, l.count) <> p_counts[k.request] then 'count' end,
                   case when case when l.reference_digest is null
                                  then l.reference is distinct from p_references[k.request]
                                  else p_references[k.request] is null end then 'reference' end,
                   case when l.hold_seconds is distinct from p_holds[k.request] then 'hold' end,
                   case when coalesce(s.contiguous, false) <> p_contiguous[k.request]
                        then 'contiguous' end) as differs,
               s.count is null
               and (l.hold_seconds is null or exists (
                   select
                   from gapless.hold h
                   where h.series_id = l.series_id and h.turn = l.turn and h.ordinal = l.ordinal
                     and h.expires_at > gapless.believed_moment(clock_timestamp()) and isempty(h.confirmed)
                     and isempty(h.released) and isempty(h.expired)
               ))
               and not exists (
                   select
                   from gapless.number_state n
                   where n.series_id = l.series_id and n.state = 'voided'
                     and n.chunk between gapless.chunk_of(l.ordinal)
                                     and gapless.chunk_of(l.ordinal + l.count - 1)
                     and n.numbers && int8range(l.ordinal, l.ordinal + l.count)
               )
               and not exists (
                   select from gapless.reused_part(l.series_id, l.block_id, l.ordinal, l.serial, l.count)
               ) as untouched,
               (
                   select r.answered_at
                   from gapless.lease_record r
                   where l.turn > 0 and r.series_id = l.series_id and r.ordinal = l.ordinal
                     and r.turn = l.turn
               ) as answered_at
        from gapless.ledger l
        left join lateral (
            select s.count, s.contiguous from gapless.issuance s
            where s.series_id = l.series_id and s.turn = l.turn and s.ordinal = l.ordinal limit 1
        ) s on true
        where l.key = k.key and l.owner_id = k.owner_id limit 1
    ) l on true;

    if v_spent <> '{}' then
        return query
            select v_spent[l.ordinality], null::text, true, f.turn, f.ordinal, f.serial, f.count, f.block_id,
                   l.epoch, coalesce(v_answered[l.ordinality], l.issued_at),
                   case when v_answered[l.ordinality] is not null then 'reserve' end,
                   l.reference_digest is not null, f.fate
            from unnest(v_rows) with ordinality l
            cross join lateral (
                select l.turn, l.ordinal, l.serial, l.count, l.block_id, null::text as fate
                where v_untouched[l.ordinality]
                union all
                select f.*
                from gapless.issuance_fates(l.series_id, l.turn, l.ordinal) f
                where not v_untouched[l.ordinality]
            ) f
            where v_differs[l.ordinality] = '';
        if '' <> any(v_differs) then
            return query
                select s.request, 'GL016', false, null::integer, null::bigint, null::bigint, null::integer,
                       null::integer, null::integer, null::timestamptz,
                       gapless.key_reused(
                           coalesce(v_answered[s.place], (v_rows[s.place]).issued_at), s.differs
                       ),
                       false, null::text
                from unnest(v_spent, v_differs) with ordinality as s (request, differs, place)
                where s.differs <> '';
        end if;
    end if;

    -- The usual batch: all new requests are plain, no key is repeated, and the open block has room for them
    -- all.
    if not (v_counter.paused or v_counter.fenced) and v_counter.waiting = 0 and p_holds is null
       and not (true = any(p_contiguous))
       and v_new_keys = cardinality(p_keys) - cardinality(v_spent)
       and v_counter.last_serial - v_counter.next_serial >= v_new_total - 1
    then
        select array_agg(k.request order by k.request), array_agg(gapless.ledger_entry(
                   p_series_id => p_series_id, p_ordinal => v_counter.next_ordinal + k."offset",
                   p_serial => v_counter.next_serial + k."offset", p_count => k.count,
                   p_block_id => v_counter.block_id, p_owner_id => k.owner_id, p_epoch => v_counter.epoch,
                   p_issued_at => v_moment, p_reference => k.reference, p_key => k.key
               ) order by k.request)
        into v_new, v_entries
        from (
            select k.*, sum(k.count) over (order by k.request rows unbounded preceding) - k.count as "offset"
            from (
                select generate_subscripts(p_keys, 1) as request, unnest(p_counts) as count,
                       unnest(p_owners) as owner_id, unnest(p_keys) as key, unnest(p_references) as reference
            ) k
            where k.request <> all(v_spent)
        ) k;
        perform gapless.ledger_insert(v_entries);
        return query
            select v_new[l.ordinality], null::text, false, l.turn, l.ordinal, l.serial, l.count, l.block_id,
                   l.epoch, l.issued_at, null::text, false, null::text
            from unnest(v_entries) with ordinality l;
        return; -- the rows are what this transaction writes
    end if;

    if cardinality(v_spent) < cardinality(p_keys) then
        return query select t.*, null::text from gapless.issue_in_turn(
            p_series_id => p_series_id, p_spent => v_spent, p_counts => p_counts, p_owners => p_owners,
            p_keys => p_keys, p_references => p_references, p_contiguous => p_contiguous,
            p_serializable => p_serializable, p_holds => p_holds, p_moment => v_moment) t;
    end if;
    if '' = any(v_differs) then
        update gapless.counter c set replays = c.replays + cardinality(array_positions(v_differs, ''))
        where c.series_id = p_series_id;
    end if;
end;
$$;
