-- consumption_until(p_series_id, p_today) -> one row: the numbers used on each day before that one, and on it
--
-- p_today is passed in because gapless.day_of(now()) takes longer than the rest. numbers ends with the day
-- before p_today, starts with the day of the first number or 420 days earlier, and is null if none was issued
-- before p_today. Days not gathered yet are read from the ledger, 35 at most, so that a database without a
-- service has a forecast, too.
create or replace function gapless.consumption_until(
    p_series_id integer, p_today date, out numbers bigint[], out used_today bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last    date;   -- the last day gathered
    v_ordinal bigint; -- the first issued after it
    v_from    date;
    v_more    bigint[];
    v_next    bigint;
begin
    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    if v_next = 1 then
        used_today := 0;
        return;
    end if;
    select u.day, u.next_ordinal into v_last, v_ordinal
    from gapless.consumption u
    where u.series_id = p_series_id and u.day < p_today
    order by u.day desc
    limit 1;
    if v_last >= p_today - 36 then
        numbers := array(
            select u.numbers
            from gapless.consumption u
            where u.series_id = p_series_id and u.day between p_today - gapless.known_days() and v_last
            order by u.day
        );
        v_from := v_last + 1;
    else
        v_ordinal := null;
        v_from := (
            select greatest(gapless.day_of(l.issued_at), p_today - 35)
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0
            order by l.ordinal
            limit 1
        );
    end if;
    if v_from < p_today then
        select array_agg(r.numbers order by r.day), max(r.next_ordinal) into v_more, v_ordinal
        from gapless.consumption_read(p_series_id, v_from, p_today - 1, v_ordinal) r;
        numbers := numbers || v_more;
    end if;
    used_today := v_next - coalesce(v_ordinal, 1);
end;
$$;
