-- verify_events(p_series_id) -> findings about the history: replayed chunk by chunk it leads to the states the numbers are in, and every row
-- of a later turn has its event
--
-- Takes time with the events, not with the ledger: a number without events costs nothing.
create or replace function gapless.verify_events(p_series_id integer) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_findings jsonb := '[]';
    v_chunk    bigint;
    v_wrong    bigint;
begin
    select count(*) into v_wrong
    from (select * from gapless.ledger l where l.series_id = p_series_id and l.turn > 0) l
    full join (select * from gapless.number_event e where e.series_id = p_series_id and e.kind = 'reissued') e
        on e.turn = l.turn and e.first_ordinal = l.ordinal and e.last_ordinal = l.ordinal + l.count - 1
    where l.series_id is null or e.series_id is null;
    if v_wrong > 0 then
        v_findings := v_findings || gapless.finding('events', format('%s ranges left again without their event, or the other way round', v_wrong));
    end if;

    for v_chunk in
        select distinct c.chunk
        from gapless.number_event e
        cross join lateral generate_series(e.first_ordinal / 4096, e.last_ordinal / 4096) as c (chunk)
        where e.series_id = p_series_id
        union
        select s.chunk from gapless.number_state s where s.series_id = p_series_id
        order by 1
    loop
        v_findings := v_findings || gapless.verify_chunk(p_series_id, v_chunk);
        exit when jsonb_array_length(v_findings) >= 10;
    end loop;
    return v_findings;
end;
$$;
