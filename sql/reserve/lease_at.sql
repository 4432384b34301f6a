-- lease_at(p_series_id, p_ordinal) -> where a number is on lease and since when; no row if it is not on lease
-- now
create or replace function gapless.lease_at(p_series_id integer, p_ordinal bigint)
returns table (host text, since timestamptz)
language sql
stable
rows 1
set search_path = pg_catalog, pg_temp
as $$
    select i.host, l.granted_at
    from (
        select * from gapless.lease o
        where o.series_id = p_series_id and o.turn = 0 and o.ordinal <= p_ordinal
        order by o.ordinal desc
        limit 1
    ) l
    join gapless.instance i using (instance)
    join gapless.hold h using (series_id, turn, ordinal)
    where h.held @> p_ordinal;
$$;
