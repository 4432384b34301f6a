-- record_event(p_series_id, p_kind, p_numbers, p_actor, p_reason) -> nothing; adds one row per range to the history
create or replace function gapless.record_event(
    p_series_id integer, p_kind text, p_numbers int8multirange, p_actor text, p_reason text
)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
    insert into gapless.number_event (series_id, kind, first_ordinal, last_ordinal, actor, reason)
    select p_series_id, p_kind, lower(r), upper(r) - 1, p_actor, p_reason
    from unnest(p_numbers) as r;
$$;
