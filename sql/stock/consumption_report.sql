-- consumption_report(p_series_id) -> one row: today, and what gapless.consumption_until says of it
--
-- In plpgsql, which keeps the plan for the session.
create or replace function gapless.consumption_report(
    p_series_id integer, out today date, out numbers bigint[], out used_today bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    today := gapless.day_of(now());
    select u.numbers, u.used_today into numbers, used_today
    from gapless.consumption_until(p_series_id, today) u;
end;
$$;
