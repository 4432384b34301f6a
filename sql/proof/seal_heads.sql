-- seal_heads() -> the last link of each chain, and how far it reaches: the content of an anchor. series '*':
-- the records that all series share
--
-- ordinal, turn, event: 0 if nothing of that kind is sealed. rows: the sum over all links. A series without
-- links has no row.
create or replace function gapless.seal_heads()
returns table (
    series text, link bigint, hash bytea, epoch integer, sealed_at timestamptz, ordinal bigint, turn bigint,
    event bigint, database_id uuid
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select h.name, s.link, s.hash, s.epoch, s.sealed_at, k.ordinal, k.turn, k.event, e.database_id
    from (select 0 as series_id, '*' as name union all select s.series_id, s.name from gapless.series s) h
    cross join lateral (
        select * from gapless.seal s where s.series_id = h.series_id order by s.link desc limit 1
    ) s
    cross join lateral (
        select coalesce(max(k.last) filter (where k.kind = 'ledger'), 0) as ordinal,
               coalesce(max(k.last) filter (where k.kind = 'reissue'), 0) as turn,
               coalesce(max(k.last) filter (where k.kind = 'event'), 0) as event
        from (values ('ledger'), ('reissue'), ('event')) v (kind)
        cross join lateral (
            select s.kind, s.last
            from gapless.seal s
            where s.series_id = h.series_id and s.kind = v.kind order by s.last desc limit 1
        ) k
    ) k
    join gapless.epoch e on e.epoch = 1
    order by h.name;
$$;
