-- issued_since(p_moment) -> the numbers issued after a moment, as text; null: none
--
-- For an old primary that comes back after a failover: another server has had the epoch since then, and
-- issued the same ordinals. Lists at most ten runs, and the total.
create or replace function gapless.issued_since(p_moment timestamptz) returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with run as (
        select s.name, s.series_id, i.first, i.last,
               row_number() over (order by s.series_id, i.first) as place,
               sum(i.last - i.first + 1) over () as numbers
        from gapless.series s
        cross join lateral gapless.issued_between(s.series_id, p_moment, null) i
        where i.first <= i.last
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
