-- issued_since(p_moment) -> the numbers issued after a moment, as text; null: none
--
-- For an old primary that comes back after a failover: another server has had the epoch since then, and
-- issued the same ordinals. Unlike for gapless.issued_between, answers from a lease count from when they were
-- settled: the other server does not know them. Lists at most ten runs, and the total.
create or replace function gapless.issued_since(p_moment timestamptz) returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    with run as (
        select s.name, s.series_id, lower(r) as first, upper(r) - 1 as last,
               row_number() over (order by s.series_id, r) as place,
               sum(upper(r) - lower(r)) over () as numbers
        from gapless.series s
        join gapless.counter c using (series_id)
        cross join lateral (
            select coalesce(range_agg(int8range(l.ordinal, l.ordinal + l.count)), '{}') as again
            from gapless.ledger l
            where l.series_id = s.series_id and l.turn > 0 and l.issued_at >= p_moment
        ) a
        cross join lateral unnest(
            a.again + int8multirange(int8range(gapless.ordinal_at(s.series_id, p_moment), c.next_ordinal))
        ) r
    )
    select string_agg(
               format(
                   'series %s: %s to %s', r.name, gapless.number_at(r.series_id, r.first),
                   gapless.number_at(r.series_id, r.last)
               ),
               '; ' order by r.place
           ) || format(' (%s numbers in all)', min(r.numbers))
    from run r
    where r.place <= 10;
$$;
