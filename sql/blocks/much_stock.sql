-- much_stock(p_series_id, p_more) -> in words, how long all numbers of the series last once p_more are
-- loaded; null: 730 days or less at gapless.use_per_day, or not known
create or replace function gapless.much_stock(p_series_id integer, p_more numeric) returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select format('%s numbers would remain, enough for %s days at %s a day; more than 730 days', t.stock,
                   floor(t.stock / t.use), round(t.use, 1))
        from (
            select p_more + gapless.remaining(p_series_id) as stock, gapless.use_per_day(p_series_id) as use
        ) t
        where t.use > 0 and t.stock > 730 * t.use
    );
end;
$$;
