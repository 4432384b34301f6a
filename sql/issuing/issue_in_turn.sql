-- issue_in_turn(p_series_id, p_spent, p_counts, p_owners, p_keys, p_references, p_contiguous, p_serializable,
-- p_holds, p_moment) -> rows per request
--
-- The part of gapless.issue_requests for new requests that are not all plain. Serves them one after the
-- other, skipping those in p_spent; each stretch of plain requests in between is issued as one run, from free
-- numbers or else from the open block. Parameters, rows and refusals are those of gapless.issue_requests,
-- which has locked the counter.
create or replace function gapless.issue_in_turn(
    p_series_id    integer,
    -- positions in the other arrays of requests whose keys were spent before: they are answered already
    p_spent        integer[],
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_contiguous   boolean[],
    p_serializable boolean,
    p_holds        integer[],
    p_moment       timestamptz -- issued_at of the new rows
)
returns table (
    request integer, outcome text, replayed boolean, turn integer, ordinal bigint, serial bigint,
    count integer, block_id integer, epoch integer, issued_at timestamptz, detail text,
    reference_erased boolean
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_counter gapless.counter;
    v         record;
    v_room    bigint;
    -- the current run of plain requests, which is inserted together: from free numbers or the open block
    v_run     integer[] := '{}';
    v_offsets bigint[] := '{}';
    v_total   bigint := 0;
    -- The smallest contiguous request for which no run of free numbers was long enough. Free numbers only
    -- become fewer while the counter is locked, so what is not smaller need not read them all again.
    v_no_run  bigint := 9223372036854775807;
    v_waiting bigint;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    v_room := gapless.run_room(p_series_id);

    for v in
        select k.request::integer as request, p_counts[k.request] as wanted,
               row_number() over (partition by k.key, k.owner_id order by k.request) > 1 as repeated
        from unnest(p_keys, p_owners) with ordinality as k (key, owner_id, request)
        where k.request <> all(p_spent)
        order by k.request
    loop
        if v_counter.fenced and not v.repeated then
            return query
                select v.request, 'GL019', false, null::integer, null::bigint, null::bigint, null::integer,
                                null::integer, null::integer, null::timestamptz,
                                (
                                    select 'the database is fenced: ' || e.trouble
                                        || '; see: gapless epoch show'
                                    from gapless.epoch_state() e
                                ),
                                false;
            continue;
        elsif v_counter.paused and not v.repeated then
            return query
                select v.request, 'GL011', false, null::integer, null::bigint, null::bigint, null::integer,
                                null::integer, null::integer, null::timestamptz,
                                (
                                    select format(
                                        'series %L is paused%s; go on with: gapless series resume %s', s.name,
                                        ': ' || s.paused_reason, s.name
                                    )
                                    from gapless.series s
                                    where s.series_id = p_series_id
                                ),
                                false;
            continue;
        elsif not v.repeated and not p_contiguous[v.request] and v_room - v_total >= v.wanted then
            v_run := v_run || v.request;
            v_offsets := v_offsets || v_total;
            v_total := v_total + v.wanted;
            continue;
        end if;

        -- Not a plain new request: issue the plain ones before it first.
        return query select * from gapless.issue_run(
            p_series_id => p_series_id, p_run => v_run, p_offsets => v_offsets, p_counts => p_counts,
            p_owners => p_owners, p_keys => p_keys, p_references => p_references, p_holds => p_holds,
            p_serializable => p_serializable, p_moment => p_moment);
        v_run := '{}';
        v_offsets := '{}';
        v_total := 0;

        if v.repeated then -- the same key twice in this batch: its first request has an answer by now
            return query
                select v.request, r.outcome, r.replayed, r.turn, r.ordinal, r.serial, r.count, r.block_id,
                       r.epoch, r.issued_at, r.detail,
                                r.reference_erased
                         from gapless.issue_requests(
                             p_series_id => p_series_id, p_counts => p_counts[v.request:v.request],
                             p_owners => p_owners[v.request:v.request], p_keys => p_keys[v.request:v.request],
                             p_references => p_references[v.request:v.request],
                             p_contiguous => p_contiguous[v.request:v.request],
                             p_serializable => p_serializable, p_holds => p_holds[v.request:v.request]
                         ) r;
            -- If the first one was refused, this one may have issued numbers, at a later moment than ours.
            select greatest(p_moment, gapless.next_moment(c)) into p_moment
            from gapless.counter c
            where c.series_id = p_series_id;
        else
            select c.waiting into v_waiting from gapless.counter c where c.series_id = p_series_id;
            return query
                select v.request, a.outcome, false, a.turn, a.ordinal, a.serial, a.count, a.block_id,
                       v_counter.epoch, p_moment, a.detail, false
                         from gapless.issue_across_blocks(
                             p_series_id => p_series_id, p_count => v.wanted,
                             p_owner_id => p_owners[v.request], p_key => p_keys[v.request],
                             p_reference => p_references[v.request], p_contiguous => p_contiguous[v.request],
                             p_hold_seconds => p_holds[v.request], p_moment => p_moment,
                             p_skips_free => p_contiguous[v.request] and v.wanted >= v_no_run
                         ) a;
            if p_contiguous[v.request] and v_waiting = (
                select c.waiting from gapless.counter c where c.series_id = p_series_id
            ) then
                v_no_run := least(v_no_run, v.wanted);
            end if;
        end if;
        v_room := gapless.run_room(p_series_id);
    end loop;

    return query select * from gapless.issue_run(
            p_series_id => p_series_id, p_run => v_run, p_offsets => v_offsets, p_counts => p_counts,
            p_owners => p_owners, p_keys => p_keys, p_references => p_references, p_holds => p_holds,
            p_serializable => p_serializable, p_moment => p_moment);
end;
$$;
