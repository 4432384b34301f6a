-- lock_space(p_series) -> the series, its whole number space locked against other loads
--
-- Two loads into one space could otherwise each miss the other's block where their cycles differ; the
-- constraint keeps those of one cycle apart only. Raises GL005 unknown-series. An advisory lock, so that a
-- load costs the same whatever the number of series in the space; then the row of this one, whose blocks
-- nobody moves meanwhile. Hinders no issuing.
create or replace function gapless.lock_space(p_series text) returns gapless.series
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series gapless.series;
begin
    select * into v_series from gapless.series s where s.name = p_series;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_series)
            using errcode = 'GL005';
    end if;
    perform pg_advisory_xact_lock(28268, hashtext(v_series.space)); -- "nl" in ASCII
    perform from gapless.series s where s.series_id = v_series.series_id for no key update;
    return v_series;
end;
$$;
