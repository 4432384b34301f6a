-- next_moment(p_counter) -> the moment of what a series issues next: the clock's, but never before its last
-- one
--
-- If the last one is over an hour ahead, the clock was set back; the series goes back with it, once. Records
-- the step, which the ledger's trigger requires (gapless.may_step_back), and by which lists search by time
-- (gapless.ordinal_at). The caller must have locked the counter.
create or replace function gapless.next_moment(p_counter gapless.counter) returns timestamptz
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_now     timestamptz := clock_timestamp();
    v_arrived bigint;
begin
    if p_counter.last_issued_at <= v_now + interval '1 hour' then
        return greatest(v_now, p_counter.last_issued_at);
    end if;
    insert into gapless.clock_step (series_id, ordinal, at)
    values (p_counter.series_id, p_counter.next_ordinal, v_now)
    on conflict (series_id, ordinal) do update set at = excluded.at;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'clock_step');
    return v_now;
end;
$$;
