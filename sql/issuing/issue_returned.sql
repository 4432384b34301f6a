-- issue_returned(p_series_id, p_run, p_offsets, p_counts, p_owners, p_keys, p_references, p_holds,
-- p_moment) -> rows
--
-- Issues the requests in p_run (positions in the other arrays, none contiguous) from free numbers, lowest
-- first, which must suffice for all of them. Does one insert and one change of state for the whole run: a set
-- of free numbers may be large, and reading and writing it for each request would cost a batch many times as
-- much. The caller must have locked the counter.
create or replace function gapless.issue_returned(
    p_series_id  integer,
    p_run        integer[],
    p_offsets    bigint[], -- of each request in p_run
    p_counts     integer[],
    p_owners     integer[],
    p_keys       uuid[],
    p_references text[],
    p_holds      integer[],
    p_moment     timestamptz -- issued_at of the new rows
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
    v_counter  gapless.counter;
    v_total    bigint := p_offsets[cardinality(p_run)] + p_counts[p_run[cardinality(p_run)]];
    -- the free runs, and the offset at which each starts
    v_blocks   integer[];
    v_ordinals bigint[];
    v_serials  bigint[];
    v_starts   bigint[];
    -- the ranges to issue, and the request of each
    v_rows     gapless.ledger_entry[];
    v_requests integer[];
    v_held     int8multirange;
    v_arrived  bigint;
    v_expected bigint;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    select array_agg(f.block_id order by f.ordinal), array_agg(f.ordinal order by f.ordinal),
           array_agg(f.serial order by f.ordinal), array_agg(f.start order by f.ordinal)
    into v_blocks, v_ordinals, v_serials, v_starts
    from (
        select f.*, (sum(f.room) over (order by f.ordinal) - f.room)::bigint as start
        from gapless.free_pieces(p_series_id, v_total) f
    ) f;

    -- A range starts where a free run or a request starts.
    select array_agg(gapless.ledger_entry(
               p_series_id => p_series_id, p_ordinal => r.ordinal, p_serial => r.serial, p_count => r.count,
               p_block_id => r.block_id, p_owner_id => p_owners[r.request], p_epoch => v_counter.epoch,
               p_issued_at => p_moment, p_reference => p_references[r.request],
               p_key => case when r.part = 1 then p_keys[r.request] end,
               p_turn => v_counter.turn + r.i::integer, p_hold_seconds => p_holds[r.request],
               p_head_ordinal => case when r.part > 1 then r.head_ordinal end,
               p_head_turn => case when r.part > 1 then v_counter.turn + r.head_i::integer end
           ) order by r.i), array_agg(r.request order by r.i)
    into v_rows, v_requests
    from (
        select r.i, r.request, r.count, r.ordinal, v_blocks[r.piece] as block_id,
               v_serials[r.piece] + (r.ordinal - v_ordinals[r.piece]) as serial,
               row_number() over w as part, first_value(r.ordinal) over w as head_ordinal,
               first_value(r.i) over w as head_i
        from (
            select row_number() over w as i, (lead(c.at, 1, v_total) over w - c.at)::integer as count,
                   p_run[max(c.place) over w] as request, max(c.piece) over w as piece,
                   v_ordinals[max(c.piece) over w] + c.at - v_starts[max(c.piece) over w] as ordinal
            from (
                select c.at, max(c.piece) as piece, max(c.place) as place
                from (
                    select s.at, s.piece, null::bigint as place
                    from unnest(v_starts) with ordinality as s (at, piece)
                    union all
                    select o.at, null, o.place from unnest(p_offsets) with ordinality as o (at, place)
                ) c
                where c.at < v_total
                group by c.at
            ) c
            window w as (order by c.at)
        ) r
        window w as (partition by r.request order by r.i)
    ) r;

    perform gapless.ledger_insert(v_rows);

    with several as (
        select v_requests[r.turn - v_counter.turn] as request, array_agg(r.turn order by r.turn) as turns,
               array_agg(r.ordinal order by r.turn) as ordinals
        from unnest(v_rows) r
        group by request
        having count(*) > 1
    ), inserted as (
        insert into gapless.issuance (
            series_id, turn, ordinal, count, contiguous, range_turns, range_ordinals
        )
        select p_series_id, s.turns[1], s.ordinals[1], p_counts[s.request], false, s.turns, s.ordinals
        from several s
        returning 1
    )
    select count(*), (select count(*) from several) into v_arrived, v_expected from inserted;
    perform gapless.expect_rows(v_arrived, v_expected, 'issuance');

    select range_agg(int8range(r.ordinal, r.ordinal + r.count)) into v_held
    from unnest(v_rows) r
    where r.hold_seconds is not null;
    if v_held is not null then
        perform gapless.change_state(
            p_series_id => p_series_id, p_numbers => v_held, p_from => array['issued'], p_to => 'held'
        );
        insert into gapless.hold (series_id, turn, ordinal, expires_at, held)
        select p_series_id, min(r.turn), min(r.ordinal), p_moment + min(r.hold_seconds) * interval '1 second',
               range_agg(int8range(r.ordinal, r.ordinal + r.count))
        from unnest(v_rows) r
        where r.hold_seconds is not null
        group by v_requests[r.turn - v_counter.turn];
        get diagnostics v_arrived = row_count;
        perform gapless.expect_rows(
            v_arrived, (select count(h) from unnest(p_run) r, unnest(p_holds[r:r]) h), 'hold'
        );
    end if;
    return query
        select v_requests[r.turn - v_counter.turn], null::text, false, r.turn, r.ordinal, r.serial, r.count,
               r.block_id, r.epoch, r.issued_at, null::text, false
        from unnest(v_rows) r
        order by r.turn;
end;
$$;
