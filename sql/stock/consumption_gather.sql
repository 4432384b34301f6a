-- consumption_gather(p_limit) -> how many days were gathered; less than p_limit: none is missing
--
-- Stores how many numbers each series used on days that are over, earliest first, and deletes days before
-- gapless.known_days. Every instance may call it at any time: one works, others return at once. Must not run
-- in a transaction that issues, and takes no lock that issuing waits for: it locks the calendar. Does nothing
-- while a move is prepared or the clock is in doubt. Raises nothing of its own. Call it at READ COMMITTED.
create or replace function gapless.consumption_gather(p_limit integer default 500) returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_yesterday date;
    v_today     timestamptz; -- begins
    v_series    record;
    v_from      date;
    v_count     integer;
    v_gathered  integer := 0;
begin
    perform from gapless.calendar c for update skip locked;
    if not found or gapless.is_moving() or gapless.clock_doubted() then
        return 0;
    end if;
    v_yesterday := gapless.day_of(now()) - 1; -- behind the lock: the time zone stays until the end
    v_today := gapless.day_begins(v_yesterday + 1);
    for v_series in
        select c.series_id, d.day, d.next_ordinal, f.issued_at
        from gapless.counter c
        left join lateral (
            select u.day, u.next_ordinal
            from gapless.consumption u
            where u.series_id = c.series_id
            order by u.day desc
            limit 1
        ) d on true
        cross join lateral (
            select l.issued_at
            from gapless.ledger l
            where l.series_id = c.series_id and l.turn = 0
            order by l.ordinal
            limit 1
        ) f
        where c.next_ordinal > 1 and coalesce(d.day < v_yesterday, f.issued_at < v_today)
        order by c.series_id
    loop
        v_from := v_series.day + 1;
        if v_from is null or v_from < v_yesterday + 1 - gapless.known_days() then
            v_from := greatest(
                gapless.day_of(v_series.issued_at), v_yesterday + 1 - gapless.known_days()
            );
            v_series.next_ordinal := null;
        end if;
        insert into gapless.consumption (series_id, day, numbers, next_ordinal)
        select v_series.series_id, r.day, r.numbers, r.next_ordinal
        from gapless.consumption_read(
            v_series.series_id, v_from, least(v_yesterday, v_from + p_limit - v_gathered - 1),
            v_series.next_ordinal
        ) r;
        get diagnostics v_count = row_count;
        v_gathered := v_gathered + v_count;
        delete from gapless.consumption u
        where u.series_id = v_series.series_id and u.day <= v_yesterday - gapless.known_days();
        exit when v_gathered >= p_limit;
    end loop;
    return v_gathered;
end;
$$;
