-- ordinals_between(p_series_id, p_first, p_last, p_after) -> runs of ordinals, in order: the issued numbers
-- with serials in p_first…p_last, of every cycle, in runs that end after ordinal p_after
--
-- before: the ledger rows that start after this ordinal contain the whole run. Takes no lock.
create or replace function gapless.ordinals_between(
    p_series_id integer, p_first bigint, p_last bigint, p_after bigint
)
returns table (first bigint, last bigint, before bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    select n.first, n.last, least(
               (select max(l.ordinal) from gapless.ledger l
                where l.series_id = p_series_id and l.turn = 0 and l.ordinal <= n.first),
               (select min(l.ordinal) from gapless.ledger l
                where l.series_id = p_series_id and l.turn > 0 and l.ordinal <= n.first
                  and l.ordinal + l.count > n.first)
           ) - 1
    from gapless.block b
    join gapless.counter c using (series_id)
    cross join lateral gapless.used_part(b, c.next_serial) u
    cross join lateral (
        select b.first_ordinal + (least(greatest(p_first, b.first_serial), u.next_serial) - b.first_serial)
                   as first,
               b.first_ordinal + (least(p_last, u.next_serial - 1) - b.first_serial) as last
    ) n
    where b.series_id = p_series_id and b.first_serial <= p_last and b.last_serial >= p_first
      and n.first <= n.last and n.last > p_after
    order by n.first;
$$;
