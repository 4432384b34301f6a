-- history_steps(p_series_id) -> everything that verify replays of a series, chunk by chunk in the order it
-- happened: the numbers issued on hold, with what their holds say became of them; the events; last the
-- present states
--
-- "at" counts from 1 within the chunk. place: 0 at the start, the event's id, or the largest bigint for a
-- state. step: a position in the tables of gapless.verify_events: 1 to 4 for numbers on hold that are open,
-- confirmed, released or expired by their hold, 5 to 14 for events, 15 to 20 for states. Numbers issued again
-- on hold have the event and then one of steps 1 to 4. Inlined, so that nothing is materialized before the
-- first row; the caller sets the planner's options.
create or replace function gapless.history_steps(p_series_id integer)
returns table (chunk bigint, "at" integer, count integer, place bigint, step integer)
language sql
stable
rows 1000000
as $$
    with again as materialized ( -- issued again on hold: few
        select coalesce(l.head_turn, l.turn) as turn, coalesce(l.head_ordinal, l.ordinal) as ordinal,
               l.turn as left_in, int8multirange(int8range(l.ordinal, l.ordinal + l.count)) as numbers
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn > 0 and l.hold_seconds is not null
    ), held_again as materialized (
        select a.turn, a.ordinal, range_agg(r) as numbers
        from again a
        cross join lateral unnest(a.numbers) as r
        group by a.turn, a.ordinal
    ), claim as not materialized (
        select h.turn, h.ordinal, 1 as step, h.held as numbers
        from gapless.hold h
        where h.series_id = p_series_id and not isempty(h.held)
        union all
        select h.turn, h.ordinal, 2, h.confirmed
        from gapless.hold h
        where h.series_id = p_series_id and not isempty(h.confirmed)
        union all
        select h.turn, h.ordinal, 3, h.released
        from gapless.hold h
        where h.series_id = p_series_id and not isempty(h.released)
        union all
        select h.turn, h.ordinal, 4, h.expired
        from gapless.hold h
        where h.series_id = p_series_id and not isempty(h.expired)
    ), run as (
        select 0::bigint as place, 0 as turn, c.step,
               unnest(case when a.turn is null then c.numbers else c.numbers - a.numbers end) as numbers
        from claim c
        left join held_again a on a.turn = c.turn and a.ordinal = c.ordinal
        union all
        select e.event_id, e.turn, k.step, unnest(k.numbers * a.numbers)
        from again a
        join gapless.hold h on h.series_id = p_series_id and h.turn = a.turn and h.ordinal = a.ordinal
        cross join lateral (
            values (1, h.held), (2, h.confirmed), (3, h.released), (4, h.expired)
        ) k (step, numbers)
        join gapless.number_event e on e.series_id = p_series_id and e.kind = 'reissued'
            and e.turn = a.left_in
        union all
        select e.event_id, -1, 4 + array_position(array[
                   'confirmed', 'released', 'expired', 'reissued', 'printed', 'reprinted', 'voided',
                   'manifested', 'returned', 'found'], e.kind),
               int8range(e.first_ordinal, e.last_ordinal, '[]')
        from gapless.number_event e
        where e.series_id = p_series_id
        union all
        select 9223372036854775807, 0,
               14 + array_position(
                   array['free', 'held', 'printed', 'voided', 'manifested', 'returned'], s.state
               ),
               unnest(s.numbers)
        from gapless.number_state s
        where s.series_id = p_series_id
    ), piece as (
        select generate_series(
            gapless.chunk_of(lower(r.numbers)), gapless.chunk_of(upper(r.numbers) - 1)
        ) as chunk,
               r.place, r.turn, r.step, lower(r.numbers) as first, upper(r.numbers) as after
        from run r
    )
    select p.chunk, (greatest(p.first, c.first) - c.first)::integer + 1,
           (least(p.after, c.first + gapless.chunk_size()) - greatest(p.first, c.first))::integer, p.place,
           p.step
    from piece p
    cross join lateral (select p.chunk * gapless.chunk_size()) c (first)
    order by p.chunk, p.place, p.turn;
$$;
