-- verify_settled(p_series_id) -> findings: what holds say of their numbers is what the history says
--
-- Each number is settled once in each of its turns. The turn of an event is the one in which the number left last before it.
create or replace function gapless.verify_settled(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- estimates of sets are far too high, compiling takes a second
as $$
    with happened as (
        select n.ordinal, e.kind, coalesce(max(e.turn) over (partition by n.ordinal order by e.event_id), 0) as turn
        from gapless.number_event e
        cross join lateral generate_series(e.first_ordinal, e.last_ordinal) as n (ordinal)
        where e.series_id = p_series_id and e.kind in ('reissued', 'confirmed', 'released', 'expired')
    ), claimed as (
        select n.ordinal, k.kind, r.turn
        from gapless.hold h
        cross join lateral gapless.issuance_ranges(p_series_id, h.turn, h.ordinal) r
        cross join lateral (values ('confirmed', h.confirmed), ('released', h.released), ('expired', h.expired)) k (kind, numbers)
        cross join lateral unnest(k.numbers * int8multirange(int8range(r.ordinal, r.ordinal + r.count))) as run
        cross join lateral generate_series(lower(run), upper(run) - 1) as n (ordinal)
        where h.series_id = p_series_id and (not isempty(h.confirmed) or not isempty(h.released) or not isempty(h.expired))
    ), wrong as (
        select coalesce(c.ordinal, h.ordinal) as ordinal, coalesce(c.kind, h.kind) as kind, c.ordinal is null as unclaimed
        from claimed c
        full join (select * from happened where kind <> 'reissued') h using (ordinal, turn, kind)
        where c.ordinal is null or h.ordinal is null
        order by 1
        limit 10
    )
    select coalesce(jsonb_agg(gapless.finding(
        format('ordinal %s', w.ordinal),
        format(case when w.unclaimed then 'its history says %s, its hold does not' else 'its hold says %s, its history does not' end, w.kind)
    ) order by w.ordinal), '[]')
    from wrong w;
$$;
