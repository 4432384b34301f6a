-- verify_seals(p_series_id) -> findings about a series' chain that need no rehashing
--
-- Checks that no link is missing, and that nothing sealed is beyond the counter, the tally and the blocks.
create or replace function gapless.verify_seals(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with wrong (at, what) as (
        select 'seals', format('the chain has %s links, the last is number %s', c.links, c.last)
        from (
            select count(*) as links, max(s.link) as last from gapless.seal s where s.series_id = p_series_id
        ) c
        where c.links <> c.last
        union all
        select format('%s %s', k.noun, k.found + 1),
               format(
                   '%s %s to %s were sealed at %s, but are gone', k.nouns, k.found + 1, s.last,
                   gapless.moment(s.sealed_at)
               )
        from gapless.counter c
        left join gapless.tally t using (series_id)
        cross join lateral (
            values ('ledger', 'ordinal', 'ordinals', c.next_ordinal - 1),
                   ('reissue', 'turn', 'turns', c.turn::bigint),
                   ('event', 'event', 'events', coalesce(t.events, 0))
        ) k (kind, noun, nouns, found)
        cross join lateral (
            select s.last, s.sealed_at
            from gapless.seal s
            where s.series_id = p_series_id and s.kind = k.kind order by s.last desc limit 1
        ) s
        where c.series_id = p_series_id and s.last > k.found
    )
    select coalesce(jsonb_agg(gapless.finding(w.at, w.what)), '[]') from wrong w;
$$;
