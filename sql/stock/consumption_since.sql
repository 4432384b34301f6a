-- consumption_since(p_series_id, p_days) -> the day to read consumption from: that of the first number, but
-- at most p_days ago; null if none was issued
create or replace function gapless.consumption_since(p_series_id integer, p_days integer) returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select greatest(gapless.day_of(l.issued_at), gapless.day_of(now()) - p_days)
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn = 0
        order by l.ordinal
        limit 1
    );
end;
$$;
