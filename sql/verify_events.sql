-- verify_events(p_series_id, p_held) -> findings about the history: no event is missing or added, and replayed chunk by chunk the events lead to the
-- states the numbers are in
--
-- Takes time with the events, not with the ledger: a number without events costs nothing. p_held: in turn 0 something left on hold.
create or replace function gapless.verify_events(p_series_id integer, p_held boolean) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
declare
    v_findings jsonb;
    v_chunk    bigint;
begin
    -- They are numbered 1, 2, 3 … up to the tally's count.
    select coalesce(jsonb_agg(gapless.finding('events',
               case when c.found = t.events then format('events are numbered %s to %s, but there are %s', c.first, c.last, c.found)
               else format('%s events were counted, %s are there', t.events, c.found) end)), '[]')
    into v_findings
    from (
        select count(*) as found, min(e.event_id) as first, max(e.event_id) as last from gapless.number_event e where e.series_id = p_series_id
    ) c
    join gapless.tally t on t.series_id = p_series_id
    where c.found <> t.events or c.found > 0 and (c.first, c.last) <> (1, c.found);

    for v_chunk in
        select distinct c.chunk
        from gapless.number_event e
        cross join lateral generate_series(e.first_ordinal / 4096, e.last_ordinal / 4096) as c (chunk)
        where e.series_id = p_series_id
        union
        select s.chunk from gapless.number_state s where s.series_id = p_series_id
        order by 1
    loop
        exit when jsonb_array_length(v_findings) >= 10;
        v_findings := v_findings || gapless.verify_chunk(p_series_id, v_chunk, p_held);
    end loop;
    return v_findings;
end;
$$;
