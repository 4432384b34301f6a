-- use_per_day(p_series_id) -> numbers per day, the mean of the latest 28 days or since the first number; null
-- before three days with numbers are over, 0 if none was issued in all that time
create or replace function gapless.use_per_day(p_series_id integer) returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select sum(d.numbers) filter (where d.place > cardinality(u.numbers) - 28)
               / least(28, cardinality(u.numbers))
        from gapless.consumption_report(p_series_id) u
        cross join lateral unnest(u.numbers) with ordinality as d (numbers, place)
        group by u.numbers
        having count(*) filter (where d.numbers > 0) >= 3
    );
end;
$$;
