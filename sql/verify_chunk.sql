-- verify_chunk(p_series_id, p_chunk, p_held) -> findings: the events of these 4,096 ordinals, replayed, make sense one after the other and lead to the
-- states the numbers are in
create or replace function gapless.verify_chunk(p_series_id integer, p_chunk bigint, p_held boolean) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
declare
    v_span       int8range := int8range(p_chunk * 4096, (p_chunk + 1) * 4096);
    v_left       int8multirange;
    v_free       int8multirange := '{}';
    v_held       int8multirange := '{}';
    v_printed    int8multirange := '{}';
    v_voided     int8multirange := '{}';
    v_manifested int8multirange := '{}';
    v_returned   int8multirange := '{}';
    v_event      record;
    v_numbers    int8multirange;
    v_allowed    int8multirange; -- in which state the event makes sense
    v_findings   jsonb := '[]';
begin
    select int8multirange(int8range(1, c.next_ordinal) * v_span) into v_left from gapless.counter c where c.series_id = p_series_id;
    -- Fresh holds begin as held: the ranges from the one on that the chunk begins in. A series without (not p_held) is not searched for them.
    select coalesce(range_agg(int8range(l.ordinal, l.ordinal + l.count) * v_span), '{}') into v_held
    from gapless.ledger l
    where p_held and l.series_id = p_series_id and l.turn = 0 and l.hold_seconds is not null
      and l.ordinal < upper(v_span) and l.ordinal + l.count > lower(v_span) and l.ordinal >= coalesce((
          select max(b.ordinal) from gapless.ledger b where b.series_id = p_series_id and b.turn = 0 and b.ordinal <= lower(v_span)
      ), 0);

    -- Events of one kind in a row are one step: sets are slow to build number by number.
    for v_event in
        select min(s.event_id) as event_id, s.kind, s.held, range_agg(s.numbers) as numbers,
               sum(upper(s.numbers) - lower(s.numbers)) as counted
        from (
            select e.event_id, e.kind, l.hold_seconds is not null as held, int8range(e.first_ordinal, e.last_ordinal, '[]') * v_span as numbers,
                   row_number() over (order by e.event_id)
                       - row_number() over (partition by e.kind, l.hold_seconds is not null order by e.event_id) as step
            from gapless.number_event e
            left join gapless.ledger l on e.kind = 'reissued' and l.series_id = e.series_id and l.turn = e.turn and l.ordinal = e.first_ordinal
            where e.series_id = p_series_id and int8range(e.first_ordinal, e.last_ordinal, '[]') && v_span
        ) s
        group by s.kind, s.held, s.step
        order by 1
    loop
        v_numbers := v_event.numbers;
        v_allowed := case v_event.kind
            when 'reissued' then v_free
            when 'confirmed' then v_held
            when 'released' then v_held
            when 'expired' then v_held
            when 'printed' then v_left - v_free - v_held - v_printed - v_voided - v_manifested - v_returned
            when 'reprinted' then v_printed + v_manifested
            when 'voided' then v_left - v_held - v_voided
            when 'manifested' then v_left - v_free - v_held - v_voided - v_manifested - v_returned
            when 'returned' then v_printed + v_manifested
            else '{}'
            end;
        if not v_numbers <@ v_allowed and jsonb_array_length(v_findings) < 10 then
            v_findings := v_findings || gapless.finding(
                format('ordinal %s', lower(v_numbers - v_allowed)),
                case v_event.kind when 'reissued' then 'a number left again while it was not free'
                else format('from event %s on it is %s, which it could not become', v_event.event_id, v_event.kind) end);
        end if;
        continue when v_event.kind = 'reprinted';
        if v_event.counted <> gapless.size_of(v_numbers) then
            v_findings := v_findings || gapless.finding(
                format('ordinal %s', lower(v_numbers)), format('from event %s on, numbers near there are %s twice', v_event.event_id, v_event.kind));
        end if;
        v_free := v_free - v_numbers;
        v_held := v_held - v_numbers;
        v_printed := v_printed - v_numbers;
        v_voided := v_voided - v_numbers;
        v_manifested := v_manifested - v_numbers;
        v_returned := v_returned - v_numbers;
        case v_event.kind
            when 'released', 'expired' then v_free := v_free + v_numbers; -- where they are voided instead, that event follows
            when 'reissued' then v_held := case when v_event.held then v_held + v_numbers else v_held end;
            when 'printed' then v_printed := v_printed + v_numbers;
            when 'voided' then v_voided := v_voided + v_numbers;
            when 'manifested' then v_manifested := v_manifested + v_numbers;
            when 'returned' then v_returned := v_returned + v_numbers;
            else null; -- confirmed: issued for good
        end case;
    end loop;

    select v_findings || coalesce(jsonb_agg(gapless.finding(
        format('ordinal %s', lower((k.due + k.found) - (k.due * k.found))), format('the history does not lead to the state %s there', k.state))), '[]')
    into v_findings
    from (
        select d.state, d.due, coalesce(s.numbers, '{}') as found
        from (values ('free', v_free), ('held', v_held), ('printed', v_printed), ('voided', v_voided),
              ('manifested', v_manifested), ('returned', v_returned)) d (state, due)
        left join gapless.number_state s on s.series_id = p_series_id and s.chunk = p_chunk and s.state = d.state
    ) k
    where k.due <> k.found;
    return v_findings;
end;
$$;
