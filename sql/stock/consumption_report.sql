-- consumption_report(p_series_id) -> one row: today, and what gapless.consumption_until says of it
create or replace function gapless.consumption_report(
    p_series_id integer, out today date, out numbers bigint[], out used_today bigint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select d.today, u.numbers, u.used_today
    from (select gapless.day_of(now()) as today offset 0) d
    cross join lateral gapless.consumption_until(p_series_id, d.today) u;
$$;
