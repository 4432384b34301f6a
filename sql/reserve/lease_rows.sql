-- lease_rows(p_series, p_lease, p_after, p_limit) -> leases as gapless.lease_page shows them
--
-- Leases of these series, or that lease (each null: any), after that place.
create or replace function gapless.lease_rows(
    p_series text[], p_lease uuid, p_after bigint, p_limit integer
)
returns table (
    lease uuid, series text, instance uuid, host text, status text, contact timestamptz,
    granted_at timestamptz, draw_until timestamptz, first text, last text, count bigint, held bigint,
    settled bigint, returned bigint, written_off bigint, overdue boolean, place bigint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select l.lease, s.name, l.instance, i.host, l.status, i.contact, l.granted_at, l.draw_until,
           gapless.number_at(l.series_id, l.ordinal),
           gapless.number_at(l.series_id, l.ordinal + l.count - 1), l.count, n.held, n.settled,
           l.count - n.held - n.settled - n.written_off, n.written_off,
           n.held > 0 and l.draw_until <= now(), l.place
    from gapless.lease l
    join gapless.series s using (series_id)
    join gapless.instance i using (instance)
    join gapless.hold h using (series_id, turn, ordinal)
    cross join lateral (
        select gapless.size_of(h.held) as held, gapless.size_of(l.written_off) as written_off, (
                   select coalesce(sum(k.count), 0)
                   from gapless.lease_record k
                   where k.series_id = l.series_id and k.ordinal >= l.ordinal
                     and k.ordinal < l.ordinal + l.count
               )::bigint as settled
    ) n
    where (p_series is null or s.name = any (p_series)) and (p_lease is null or l.lease = p_lease)
      and (p_after is null or l.place > p_after)
    order by l.place
    limit p_limit;
$$;
