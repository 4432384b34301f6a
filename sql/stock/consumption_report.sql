-- consumption_report(p_series_id) -> one row: today, the numbers used on each day before it, of today
--
-- numbers ends with yesterday, begins with the day of the first number or 420 days ago, and is null when none
-- was issued before today. What was not gathered yet is read from the ledger: 35 days at most, so that a
-- database without a service has a forecast, too.
create or replace function gapless.consumption_report(
    p_series_id integer, out today date, out numbers bigint[], out used_today bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last    date;   -- that was gathered
    v_ordinal bigint; -- the first that was issued after it
    v_from    date;
    v_more    bigint[];
    v_next    bigint;
begin
    today := gapless.day_of(now());
    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    if v_next = 1 then
        used_today := 0;
        return;
    end if;
    select u.day, u.next_ordinal into v_last, v_ordinal
    from gapless.consumption u
    where u.series_id = p_series_id and u.day < today
    order by u.day desc
    limit 1;
    if v_last >= today - 36 then
        numbers := array(
            select u.numbers
            from gapless.consumption u
            where u.series_id = p_series_id and u.day between today - gapless.known_days() and v_last
            order by u.day
        );
        v_from := v_last + 1;
    else
        v_from := gapless.consumption_since(p_series_id, 35);
        v_ordinal := null;
    end if;
    if v_from < today then
        select array_agg(r.numbers order by r.day), max(r.next_ordinal) into v_more, v_ordinal
        from gapless.consumption_read(p_series_id, v_from, today - 1, v_ordinal) r;
        numbers := numbers || v_more;
    end if;
    used_today := v_next - coalesce(v_ordinal, 1);
end;
$$;
