-- notices_find(p_forecasts) -> how many notices were written
--
-- Looks for what no transaction reports: block.exhausted, gapless.notice_states, and series.order_by.
-- Announces each once, and again only after the state was over. p_forecasts: by series name, the forecast as
-- the API shows it, and "remaining"; it is due when order_by, a day in the database's time zone, is today or
-- past. Without a forecast a series is not checked for series.order_by. Every instance may call it at any
-- time: one works, others return 0. While the database is fenced it announces only that
-- (gapless.notice_of_trouble), on a standby nothing. Raises nothing of its own. Call it at READ COMMITTED:
-- issuing is serializable, and must not conflict with these reads. Locks the row of gapless.notice_look.
create or replace function gapless.notices_find(p_forecasts jsonb default null) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_found bigint;
    v_asked bigint[];
    v_due   gapless.notice_state[];
begin
    if current_setting('transaction_read_only') = 'on' then
        return 0;
    end if;
    perform from gapless.notice_look l for update skip locked;
    if not found then
        return 0;
    end if;
    v_found := gapless.notice_of_trouble();
    if v_found is not null then
        return v_found;
    end if;

    v_found := gapless.notices_of_used_blocks();
    v_found := v_found + gapless.notice_cross(
        array['series.low', 'series.exhausted', 'series.no_successor', 'token.expires', 'lease.overdue'],
        null,
        array(select t from gapless.notice_states() t)
    );
    select array_agg(s.series_id),
           array_agg(
               row('series.order_by', s.series_id, null, s.series_id, null, f.forecast)::gapless.notice_state
           ) filter (where (f.forecast ->> 'order_by')::date <= (select gapless.day_of(now())))
    into v_asked, v_due
    from jsonb_each(p_forecasts) as f (name, forecast)
    join gapless.series s using (name);
    if v_asked is not null then
        v_found := v_found + gapless.notice_cross(
            array['series.order_by'], v_asked, coalesce(v_due, '{}'));
    end if;
    return v_found;
end;
$$;
