-- verify_holds(p_series_id) -> findings about holds: each has exactly the numbers of its issuance, in one of four sets, and what is held by
-- holds is what is in the state held. It expires as long after it was issued as was asked for.
create or replace function gapless.verify_holds(p_series_id integer) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
declare
    v_findings jsonb := '[]';
    v_wrong    record;
    v_held     int8multirange;
    v_states   int8multirange;
begin
    for v_wrong in
        select coalesce(l.ordinal, h.ordinal) as ordinal, h.series_id is null as missing, l.series_id is null as invented,
               h.expires_at is distinct from l.issued_at + make_interval(secs => l.hold_seconds) as moved
        from (select * from gapless.ledger l where l.series_id = p_series_id and l.hold_seconds is not null and l.key is not null) l
        full join (select * from gapless.hold h where h.series_id = p_series_id) h
            on h.series_id = l.series_id and h.turn = l.turn and h.ordinal = l.ordinal
        where h.series_id is null or l.series_id is null or h.expires_at <> l.issued_at + make_interval(secs => l.hold_seconds)
           or gapless.size_of(h.held) + gapless.size_of(h.confirmed) + gapless.size_of(h.released) + gapless.size_of(h.expired)
              <> gapless.size_of(h.held + h.confirmed + h.released + h.expired)
           or h.held + h.confirmed + h.released + h.expired is distinct from (
                  select range_agg(int8range(r.ordinal, r.ordinal + r.count)) from gapless.issuance_ranges(p_series_id, h.turn, h.ordinal) r)
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
