-- manifest_close(p_series, p_day, p_actor) -> how many numbers the manifest of that day holds
--
-- Closes a day: every number that was printed by the end of that day (UTC) and was not reported before goes onto its manifest and becomes manifested.
-- Repeating it changes nothing. Raises GL005 unknown-series, GL014 for a day that is not over when a later one is closed already.
-- Needs scope issue (GL003, GL004: gapless.require_scope). Locks the series' tally row.
create or replace function gapless.manifest_close(p_series text, p_day date, p_actor text) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
    v_count     bigint;
    v_numbers   int8multirange;
    v_arrived   bigint;
    v_chunks    bigint;
begin
    p_actor := gapless.require_scope('issue', p_series, p_actor);
    select s.series_id into v_series_id from gapless.series s where s.name = p_series;
    if not found then
        raise exception 'there is no series %', quote_literal(p_series) using errcode = 'GL005';
    end if;
    perform from gapless.tally t where t.series_id = v_series_id for update;
    select m.count into v_count from gapless.manifest m where m.series_id = v_series_id and m.day = p_day;
    if found then
        return v_count;
    end if;

    select coalesce(range_agg(r), '{}') into v_numbers
    from gapless.number_state s
    cross join lateral unnest(s.numbers) as r
    where s.series_id = v_series_id and s.state = 'printed';
    -- What was printed later than that day waits for its own.
    select v_numbers - coalesce(range_agg(int8range(e.first_ordinal, e.last_ordinal, '[]')), '{}') into v_numbers
    from gapless.number_event e
    where e.series_id = v_series_id and e.kind = 'printed' and e.at >= (p_day + 1)::timestamp at time zone 'UTC';

    insert into gapless.manifest (series_id, day, count, created_by) values (v_series_id, p_day, gapless.size_of(v_numbers), p_actor);
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'manifest');
    select count(distinct c) into v_chunks
    from unnest(v_numbers) as r
    cross join lateral generate_series(lower(r) / 4096, (upper(r) - 1) / 4096) as c;
    insert into gapless.manifest_part (series_id, day, chunk, numbers)
    select v_series_id, p_day, c.chunk, range_agg(r.range * int8range(c.chunk * 4096, (c.chunk + 1) * 4096))
    from unnest(v_numbers) as r (range)
    cross join lateral generate_series(lower(r.range) / 4096, (upper(r.range) - 1) / 4096) as c (chunk)
    group by c.chunk;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, v_chunks, 'manifest_part');
    if not isempty(v_numbers) then
        perform gapless.note_event(v_series_id, 'manifested', v_numbers, p_actor, p_day::text, false);
    end if;
    perform gapless.audit(p_actor, 'manifest.close', p_series, null, jsonb_build_object('day', p_day, 'count', gapless.size_of(v_numbers)));
    return gapless.size_of(v_numbers);
end;
$$;
