-- verify_holds(p_series_id, p_issued) -> findings about holds: each has exactly the numbers of its issuance, in one of four sets, and what is held by
-- holds is what is in the state held. It expires as long after it was issued as was asked for.
--
-- p_issued holds began in turn 0 by the ledger. Only when there are not as many, the ledger is searched for those without a record.
create or replace function gapless.verify_holds(p_series_id integer, p_issued bigint) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
declare
    v_findings jsonb := '[]';
    v_lost     boolean; -- a hold has no record
    v_wrong    record;
    v_held     int8multirange;
    v_states   int8multirange;
begin
    v_lost := p_issued + (
        select count(*) from gapless.ledger l
        where l.series_id = p_series_id and l.turn > 0 and l.hold_seconds is not null and l.key is not null
    ) <> (
        select count(distinct (h.turn, h.ordinal))
        from gapless.hold h
        join gapless.ledger l on l.series_id = h.series_id and l.turn = h.turn and l.ordinal = h.ordinal
        where h.series_id = p_series_id and l.turn >= 0 and l.hold_seconds is not null and l.key is not null
    );
    for v_wrong in
        select h.ordinal, false as missing, l.series_id is null as invented,
               h.expires_at is distinct from l.issued_at + make_interval(secs => l.hold_seconds) as moved
        from gapless.hold h
        left join gapless.ledger l on l.series_id = h.series_id and l.turn = h.turn and l.ordinal = h.ordinal
            and l.hold_seconds is not null and l.key is not null
        where h.series_id = p_series_id and (
               l.series_id is null or h.expires_at <> l.issued_at + make_interval(secs => l.hold_seconds)
            or gapless.size_of(h.held) + gapless.size_of(h.confirmed) + gapless.size_of(h.released) + gapless.size_of(h.expired)
               <> gapless.size_of(h.held + h.confirmed + h.released + h.expired)
            or h.held + h.confirmed + h.released + h.expired is distinct from (
                   select range_agg(int8range(r.ordinal, r.ordinal + r.count)) from gapless.issuance_ranges(p_series_id, h.turn, h.ordinal) r))
        union all
        select l.ordinal, true, false, false
        from gapless.ledger l
        where v_lost and l.series_id = p_series_id and l.hold_seconds is not null and l.key is not null
          and not exists (select from gapless.hold h where h.series_id = l.series_id and h.turn = l.turn and h.ordinal = l.ordinal)
        order by 1
        limit 10
    loop
        v_findings := v_findings || gapless.finding(
            format('ordinal %s', v_wrong.ordinal),
            case
            when v_wrong.missing then 'a hold was issued there, its record is gone'
            when v_wrong.invented then 'a hold is recorded there, but none was issued'
            when v_wrong.moved then 'the hold there does not expire when it should'
            else 'the hold there does not account for its numbers'
            end);
    end loop;

    select coalesce(range_agg(r), '{}') into v_held
    from gapless.hold h cross join lateral unnest(h.held) as r where h.series_id = p_series_id and not isempty(h.held);
    select coalesce(range_agg(r), '{}') into v_states
    from gapless.number_state s cross join lateral unnest(s.numbers) as r where s.series_id = p_series_id and s.state = 'held';
    if v_held <> v_states then
        v_findings := v_findings || gapless.finding(
            format('ordinal %s', lower((v_held + v_states) - (v_held * v_states))), 'a number is held by a hold but not in its state, or the other way round');
    end if;
    return v_findings;
end;
$$;
