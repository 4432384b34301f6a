-- hold_run(p_series_id, p_ordinal, p_offsets, p_counts, p_holds) -> nothing
--
-- Holds those of a run of fresh ranges for which p_holds has seconds: one row each, and one change of state for all.
create or replace function gapless.hold_run(
    p_series_id integer, p_ordinal bigint, p_offsets bigint[], p_counts integer[], p_holds integer[]
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_held int8multirange;
begin
    insert into gapless.hold (series_id, turn, ordinal, expires_at, held)
    select p_series_id, 0, p_ordinal + w."offset", now() + make_interval(secs => w.hold),
           int8multirange(int8range(p_ordinal + w."offset", p_ordinal + w."offset" + w.count))
    from unnest(p_offsets, p_counts, p_holds) as w ("offset", count, hold)
    where w.hold is not null;

    select range_agg(int8range(p_ordinal + w."offset", p_ordinal + w."offset" + w.count)) into v_held
    from unnest(p_offsets, p_counts, p_holds) as w ("offset", count, hold)
    where w.hold is not null;
    if v_held is not null then
        perform gapless.change_state(p_series_id, v_held, array['issued'], 'held');
    end if;
end;
$$;
