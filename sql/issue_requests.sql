-- issue_requests(p_series_id, p_counts, p_owners, p_keys, p_references, p_contiguous, p_serializable, p_holds, p_alone) -> rows per request
--
-- Answers a batch of requests of one series, whatever they are: a key seen before gets the ranges of its first
-- answer, or a refusal when the request differs; a new one is issued, across blocks if need be. Element k of the
-- arrays is request k, and they are served in this order. A request that is refused changes nothing and hurts no
-- other.
--
-- One row per range, in order; request counts from 1. outcome: null, or the SQLSTATE of the refusal (then the only
-- row of its request, with detail): GL009 series-exhausted, GL010 not-contiguous, GL011 series-paused, GL019 fenced, GL016
-- idempotency-key-reused. Raises GL005 for a series that does not exist, GL020 in an unsafe session.
--
-- A replay writes, too (counter.replays): its COMMIT then waits for the synchronous standby like the first one did;
-- a read-only replay could show a number that a failover still takes back. Locks the series' counter row until
-- COMMIT; every issue of the series queues up there.
create or replace function gapless.issue_requests(
    p_series_id    integer,
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_contiguous   boolean[],
    p_serializable boolean,
    p_holds        integer[] default null, -- seconds, null where nothing is held; null altogether when no request holds
    p_alone        boolean default false -- the session has not locked the series: refuse (55P03) when another one has
)
returns table (
    request integer, outcome text, replayed boolean, turn integer, ordinal bigint, serial bigint, count integer,
    block_id integer, epoch integer, issued_at timestamptz, detail text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- a scan of a small ledger would take a predicate lock on all of it
as $$
#variable_conflict use_column
declare
    v_counter gapless.counter;
    v         record;
    v_replays integer := 0;
    v_room    bigint;
    -- the run of new requests that the open block serves; inserted together
    v_run     integer[] := '{}';
    v_offsets bigint[] := '{}';
    v_total   bigint := 0;
begin
    perform gapless.assert_safe_to_issue(p_serializable);

    -- Another instance is at it, which locks the series before its transaction: let it pass, then do the same. Held until COMMIT,
    -- so that it waits for us, too.
    if p_alone and not pg_try_advisory_xact_lock(28263, p_series_id) then
        raise exception 'another instance issues from series %', p_series_id using errcode = 'lock_not_available';
    end if;

    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    if not found then
        raise exception 'series % does not exist', p_series_id using errcode = 'GL005';
    end if;
    if v_counter.valid_until < now() and v_counter.next_serial <= v_counter.last_serial then
        perform gapless.block_close(v_counter.block_id, 'expired', 'gapless');
        select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    end if;
    if v_counter.waiting > 0 then
        perform gapless.void_free_of_expired_blocks(p_series_id);
    end if;
    v_room := gapless.plain_room(p_series_id);

    for v in
        select k.request::integer as request, p_counts[k.request] as wanted,
               row_number() over (partition by k.key, k.owner_id order by k.request) > 1 as repeated,
               l.series_id, l.turn, l.ordinal, l.serial, l.count, l.block_id, l.epoch, l.issued_at, s.range_ordinals,
               l.series_id = p_series_id and coalesce(s.count, l.count) = p_counts[k.request]
                   and l.reference is not distinct from p_references[k.request]
                   and l.hold_seconds is not distinct from p_holds[k.request]
                   and coalesce(s.contiguous, false) = p_contiguous[k.request] as same
        from unnest(p_keys, p_owners) with ordinality as k (key, owner_id, request)
        left join lateral (
            select * from gapless.ledger l where l.key = k.key and l.owner_id = k.owner_id limit 1
        ) l on true
        left join gapless.issuance s on s.series_id = l.series_id and s.turn = l.turn and s.ordinal = l.ordinal
        order by k.request
    loop
        if v.same then
            v_replays := v_replays + 1;
            if v.range_ordinals is null then
                return query select v.request, null::text, true, v.turn, v.ordinal, v.serial, v.count, v.block_id,
                                    v.epoch, v.issued_at, null::text;
            else
                return query select v.request, null::text, true, r.turn, r.ordinal, r.serial, r.count, r.block_id,
                                    v.epoch, v.issued_at, null::text
                             from gapless.issuance_ranges(v.series_id, v.turn, v.ordinal) r;
            end if;
            continue;
        elsif v.series_id is not null then
            return query select v.request, 'GL016', false, null::integer, null::bigint, null::bigint, null::integer,
                                null::integer, null::integer, null::timestamptz, 'the key was spent on another request; use a new key for a new request';
            continue;
        elsif v_counter.fenced and not v.repeated then
            return query select v.request, 'GL019', false, null::integer, null::bigint, null::bigint, null::integer,
                                null::integer, null::integer, null::timestamptz,
                                (select 'the database is fenced: ' || e.trouble || '; see: gapless epoch show' from gapless.epoch_state() e);
            continue;
        elsif v_counter.paused and not v.repeated then
            return query select v.request, 'GL011', false, null::integer, null::bigint, null::bigint, null::integer,
                                null::integer, null::integer, null::timestamptz,
                                (select format('series %L is paused; go on with: gapless series resume %s', s.name, s.name)
                                 from gapless.series s where s.series_id = p_series_id);
            continue;
        elsif not v.repeated and not p_contiguous[v.request] and v_room - v_total >= v.wanted then
            v_run := v_run || v.request;
            v_offsets := v_offsets || v_total;
            v_total := v_total + v.wanted;
            continue;
        end if;

        -- Something else than a plain new request: first the plain ones before it leave.
        return query select * from gapless.issue_run(p_series_id, v_run, v_offsets, p_counts, p_owners, p_keys, p_references, p_holds, p_serializable);
        v_run := '{}';
        v_offsets := '{}';
        v_total := 0;

        if v.repeated then -- the same key twice in this batch: its first request has an answer by now
            return query select v.request, r.outcome, r.replayed, r.turn, r.ordinal, r.serial, r.count, r.block_id, r.epoch, r.issued_at, r.detail
                         from gapless.issue_requests(
                             p_series_id, p_counts[v.request:v.request], p_owners[v.request:v.request], p_keys[v.request:v.request],
                             p_references[v.request:v.request], p_contiguous[v.request:v.request], p_serializable, p_holds[v.request:v.request]
                         ) r;
        else
            return query select v.request, a.outcome, false, a.turn, a.ordinal, a.serial, a.count, a.block_id, v_counter.epoch, now(), a.detail
                         from gapless.issue_across_blocks(
                             p_series_id, v.wanted, p_owners[v.request], p_keys[v.request], p_references[v.request], p_contiguous[v.request], p_holds[v.request]
                         ) a;
        end if;
        v_room := gapless.plain_room(p_series_id);
    end loop;

    return query select * from gapless.issue_run(p_series_id, v_run, v_offsets, p_counts, p_owners, p_keys, p_references, p_holds, p_serializable);

    if v_replays > 0 then
        update gapless.counter c set replays = c.replays + v_replays where c.series_id = p_series_id;
    end if;
end;
$$;
