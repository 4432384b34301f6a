-- record_event(p_series_id, p_kind, p_numbers, p_actor, p_reason) -> nothing; adds one row per range to the
-- history
--
-- The tally numbers the events of a series without gaps. Locks the tally row.
create or replace function gapless.record_event(
    p_series_id integer, p_kind text, p_numbers int8multirange, p_actor text, p_reason text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last    bigint;
    v_arrived bigint;
begin
    update gapless.tally t
    set events = t.events + (select count(*) from unnest(p_numbers))
    where t.series_id = p_series_id
    returning t.events into v_last;

    insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, actor, reason)
    select p_series_id, v_last - count(*) over () + row_number() over (order by r), p_kind, lower(r),
           upper(r) - 1, p_actor, p_reason
    from unnest(p_numbers) as r;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, (select count(*) from unnest(p_numbers)), 'number_event');
end;
$$;
