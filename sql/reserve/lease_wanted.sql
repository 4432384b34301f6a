-- lease_wanted(p_instance, p_secret) -> what an instance should have and what it has on lease, by series
--
-- One row for each series with a reserve, and for each of the instance's leases that is not closed: a series
-- with several leases has several rows. lease: null if there is none. rest: how many numbers that lease still
-- holds. available: how many could go on lease now: 0 while the series is paused, fenced, or low (at its low
-- water mark or below). drill: requests are to be answered from the reserve now, although the database is
-- there (gapless.lease_drill). An instance that is unknown to the database, or null, has no lease; a known
-- one must have the right secret (GL004: gapless.require_secret). Takes no lock.
create or replace function gapless.lease_wanted(p_instance uuid, p_secret bytea)
returns table (
    series_id integer, series text, reserve_numbers bigint, lease uuid, status text, rest bigint,
    available bigint, paused boolean, fenced boolean, low boolean, drill boolean
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    if exists (select from gapless.instance i where i.instance = p_instance) then
        perform gapless.require_secret(p_instance, p_secret);
    end if;
    return query
        select s.series_id, s.name, s.reserve_numbers, l.lease, l.status,
               coalesce(gapless.size_of(h.held), 0),
               case when c.paused or f.fenced then 0 else r.room end, c.paused, f.fenced, r.low,
               coalesce(s.drill_until > clock_timestamp(), false)
        from (
            select w.series_id from gapless.series w where w.reserve_numbers is not null
            union
            select o.series_id from gapless.lease o
            where o.instance = p_instance and o.status in ('open', 'recalled')
        ) w
        join gapless.series s using (series_id)
        join gapless.counter c using (series_id)
        left join gapless.lease l on l.series_id = s.series_id and l.instance = p_instance
            and l.status in ('open', 'recalled')
        left join gapless.hold h on h.series_id = l.series_id and h.turn = l.turn and h.ordinal = l.ordinal
        cross join lateral gapless.lease_room(s.series_id, clock_timestamp()) r
        cross join lateral (
            select c.fenced or (select e.trouble is not null from gapless.epoch_state() e)
        ) f (fenced)
        order by s.series_id, l.place;
end;
$$;
