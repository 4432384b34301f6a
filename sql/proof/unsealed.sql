-- unsealed() -> the series with records that are not sealed yet; 0: the records that all series share
--
-- gapless.unsealed_of for all series at once: a series where nothing happened, as in most, costs a few
-- look-ups in the index of seals and no call.
create or replace function gapless.unsealed() returns table (series_id integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select 0 where exists (select from gapless.unsealed_of(0))
    union all
    select c.series_id
    from gapless.counter c
    join gapless.tally t using (series_id)
    where exists (
        select
        from (
            values ('ledger', c.next_ordinal - 1), ('reissue', c.turn), ('event', t.events), (
                'block', (select max(b.block_id) from gapless.block b where b.series_id = c.series_id)
            )
        ) k (kind, last)
        where k.last > 0 and k.last > coalesce(
            (select max(s.last) from gapless.seal s where s.series_id = c.series_id and s.kind = k.kind), 0
        )
    )
    order by 1;
$$;
