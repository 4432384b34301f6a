-- day_report(p_series_id, p_day) -> one row: what became of the numbers of a day
--
-- Days are in the database's time zone. over: the day has ended. issued: the numbers last issued on that day;
-- unprinted … returned: how many of these are in that state now, unprinted being issued and in no other
-- state. to_report: what closing the day now would report, including numbers of earlier days. reported: how
-- many its manifest has, null while it is not closed. Takes no lock.
create or replace function gapless.day_report(p_series_id integer, p_day date)
returns table (
    over boolean, issued bigint, unprinted bigint, held bigint, printed bigint, voided bigint,
    manifested bigint, returned bigint, to_report bigint, reported bigint
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with run as (
        select i.first, i.last, int8range(i.first, i.last, '[]') as numbers
        from gapless.issued_between(
            p_series_id, gapless.day_begins(p_day), gapless.day_begins(p_day + 1) - interval '1 microsecond'
        ) i
    ), state as (
        select s.state, sum(upper(n.numbers) - lower(n.numbers)) as count
        from run r
        cross join lateral gapless.state_ranges(p_series_id, r.first, r.last) s
        cross join lateral (
            select int8range(s.first_ordinal, s.last_ordinal, '[]') * r.numbers as numbers
        ) n
        where not isempty(n.numbers)
        group by s.state
    ), found as (
        select coalesce((select sum(r.last - r.first + 1) from run r), 0)
               - coalesce(sum(s.count) filter (where s.state = 'free'), 0) as issued,
               coalesce(sum(s.count) filter (where s.state = 'held'), 0) as held,
               coalesce(sum(s.count) filter (where s.state = 'printed'), 0) as printed,
               coalesce(sum(s.count) filter (where s.state = 'voided'), 0) as voided,
               coalesce(sum(s.count) filter (where s.state = 'manifested'), 0) as manifested,
               coalesce(sum(s.count) filter (where s.state = 'returned'), 0) as returned
        from state s
    )
    select gapless.day_begins(p_day + 1) <= now(), f.issued::bigint,
           (f.issued - f.held - f.printed - f.voided - f.manifested - f.returned)::bigint, f.held::bigint,
           f.printed::bigint, f.voided::bigint, f.manifested::bigint, f.returned::bigint,
           gapless.size_of(gapless.manifest_numbers(p_series_id, p_day)),
           (select m.count from gapless.manifest m where m.series_id = p_series_id and m.day = p_day)
    from found f;
$$;
