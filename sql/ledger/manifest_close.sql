-- manifest_close(p_series, p_day, p_actor) -> how many numbers the manifest of that day holds
--
-- Closes a day: puts every number that was printed by the end of that day, in the database's time zone, and
-- not reported before on its manifest, and makes it manifested. Repeating it changes nothing. Raises GL005
-- unknown-series. Needs scope issue (GL003, GL004: gapless.require_scope). Locks the series' tally row.
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
begin
    p_actor := gapless.require_scope('issue', p_series, p_actor);
    v_series_id := gapless.series_id_of(p_series);
    perform from gapless.tally t where t.series_id = v_series_id for update;
    select m.count into v_count from gapless.manifest m where m.series_id = v_series_id and m.day = p_day;
    if found then
        return v_count;
    end if;

    v_numbers := gapless.manifest_numbers(v_series_id, p_day);
    insert into gapless.manifest (series_id, day, count, created_by) values (
        v_series_id, p_day, gapless.size_of(v_numbers), p_actor
    );
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'manifest');
    insert into gapless.manifest_part (series_id, day, chunk, numbers)
    select v_series_id, p_day, c.chunk, c.numbers from gapless.chunks_of(v_numbers) c;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(
        v_arrived, (select count(*) from gapless.chunks_of(v_numbers)), 'manifest_part'
    );
    if not isempty(v_numbers) then
        perform gapless.note_event(
            p_series_id => v_series_id, p_kind => 'manifested', p_numbers => v_numbers, p_actor => p_actor,
            p_reason => p_day::text, p_force => false
        );
    end if;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'manifest.close', p_subject => p_series, p_before => null,
        p_after => jsonb_build_object('day', p_day, 'count', gapless.size_of(v_numbers))
    );
    return gapless.size_of(v_numbers);
end;
$$;
