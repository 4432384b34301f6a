-- lease_wanted(p_instance, p_secret) -> what an instance should have on lease and has, by series
--
-- A row for each series with a reserve, and for each of the instance's leases that is not closed: several
-- rows of one series where it has several. lease: null where it has none. rest: what is still held by that
-- lease. available: what could go on lease now: 0 while the series is paused, fenced, or low, that is at its
-- low water mark or below. drill: requests are to be answered from the reserve now, although the database is
-- there (gapless.lease_drill). An instance that the database does not know, or null, has no lease; of a known
-- one GL004 for another secret (gapless.require_secret). Takes no lock.
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
               case when c.paused or f.fenced or r.low then 0 else r.room end, c.paused, f.fenced, r.low,
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
