-- verify_anchors(p_anchors) -> findings, in the order of the anchors
--
-- Compares chains with what was published of them outside: an array of {"place", "database", "epoch",
-- "series", "link", "ordinal", "hash", "sealed_at"}, as gapless anchor writes them, with the place where each
-- was found. If the link has the anchor's hash, that proves, together with gapless.verify_chain, that nothing
-- up to that link was changed since. An anchor beyond the end of its chain proves that the database has
-- forgotten numbers, or was cut; one with another hash, that the chain was rewritten.
create or replace function gapless.verify_anchors(p_anchors jsonb)
returns table (series text, at text, what text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
    select a.series, coalesce('link ' || a.link, 'anchor'), case
           when a.database <> e.database_id::text
               then format('%s: an anchor of database %s, this is %s', a.place, a.database, e.database_id)
           when h.series_id is null
               then format(
                   '%s: the series was anchored at %s, the database does not know it', a.place, a.sealed_at
               )
           when s.link is null and c.next_ordinal - 1 < a.ordinal then format(
               '%s: ordinals %s to %s had left by %s, when link %s was anchored: the database has forgotten '
               'them',
               a.place, c.next_ordinal, a.ordinal,
               a.sealed_at, a.link)
           when s.link is null then format(
               '%s: link %s, sealed at %s, is gone; the chain ends at link %s', a.place, a.link, a.sealed_at,
               coalesce((select max(t.link) from gapless.seal t where t.series_id = h.series_id), 0))
           else format(
               '%s: the chain up to link %s is not the one that was sealed at %s', a.place, a.link,
               a.sealed_at
           )
           end || case when e.epoch > a.epoch and a.database = e.database_id::text then format(
               '; since then epoch %s was opened at %s: %s', e.epoch, gapless.moment(e.opened_at),
               e.reason) else '' end
    from jsonb_to_recordset(p_anchors) as a (
        place text, database text, epoch integer, series text, link bigint, ordinal bigint, hash text,
        sealed_at text)
    cross join (
        select x.epoch, x.opened_at, x.reason, x.database_id
        from gapless.epoch x order by x.epoch desc limit 1
    ) e
    left join (
        select 0 as series_id, '*' as name union all select x.series_id, x.name from gapless.series x
    ) h on h.name = a.series
    left join gapless.counter c on c.series_id = h.series_id
    left join gapless.seal s on s.series_id = h.series_id and s.link = a.link
    where (a.database = e.database_id::text and encode(s.hash, 'hex') = a.hash) is not true;
$$;
