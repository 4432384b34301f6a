-- verify_states(p_series_id) -> findings about states: the tally adds up, no number is in two states, and
-- none has one before it was issued
create or replace function gapless.verify_states(p_series_id integer) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
declare
    v_findings jsonb := '[]';
    v_next     bigint;
    v_waiting  bigint;
    v_wrong    record;
begin
    select c.next_ordinal, c.waiting into v_next, v_waiting
    from gapless.counter c
    where c.series_id = p_series_id;
    for v_wrong in
        select k.state, k.claimed, coalesce(s.found, 0) as found
        from gapless.tally t
        cross join lateral (
            values ('free', t.free), ('held', t.held), ('printed', t.printed), ('voided', t.voided),
                   ('manifested', t.manifested), ('returned', t.returned)
        ) k (state, claimed)
        left join (
            select s.state, sum(gapless.size_of(s.numbers)) as found
            from gapless.number_state s
            where s.series_id = p_series_id
            group by s.state
        ) s using (state)
        where t.series_id = p_series_id and k.claimed <> coalesce(s.found, 0)
    loop
        v_findings := v_findings
            || gapless.finding(
                'tally',
                format('%s numbers are counted as %s, %s are', v_wrong.claimed, v_wrong.state, v_wrong.found)
            );
    end loop;
    if not exists (select from gapless.tally t where t.series_id = p_series_id) then
        v_findings := v_findings || gapless.finding('tally', 'the series has none');
    elsif v_waiting <> (select t.free from gapless.tally t where t.series_id = p_series_id) then
        v_findings := v_findings
            || gapless.finding(
                'counter',
                format(
                    '%s numbers wait to go out again by the counter, another count by the tally', v_waiting
                )
            );
    end if;
    for v_wrong in
        select s.chunk, lower(range_agg(r)) as first, sum(upper(r) - lower(r)) as counted,
               gapless.size_of(range_agg(r)) as distinct_numbers, upper(range_agg(r)) as due
        from gapless.number_state s
        cross join lateral unnest(s.numbers) as r
        where s.series_id = p_series_id
        group by s.chunk
        having sum(upper(r) - lower(r)) <> gapless.size_of(range_agg(r)) or upper(range_agg(r)) > v_next
          or lower(range_agg(r)) < 1
        order by s.chunk
        limit 10
    loop
        v_findings := v_findings || gapless.finding(
            format('ordinal %s', v_wrong.first),
            case when v_wrong.due > v_next then format(
                'ordinal %s has a state, but only %s have left', v_wrong.due - 1, v_next - 1
            )
                 else format(
                     '%s numbers from there on are in two states', v_wrong.counted - v_wrong.distinct_numbers
                 ) end);
    end loop;
    return v_findings;
end;
$$;
