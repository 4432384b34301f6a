-- lease_known(p_series_id, p_ordinals, p_counts, p_keys) -> each record with its numbers, the turn in which
-- it was settled (null: it was not), and the first record of this call that equals it
create or replace function gapless.lease_known(
    p_series_id integer, p_ordinals bigint[], p_counts integer[], p_keys uuid[]
)
returns table (record integer, numbers int8range, turn integer, first integer)
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    select r.record::integer, int8range(r.ordinal, r.ordinal + r.count), k.turn,
           min(r.record) over (partition by r.ordinal, r.count, r.key)::integer
    from unnest(p_ordinals, p_counts, p_keys) with ordinality as r (ordinal, count, key, record)
    left join lateral (
        select k.turn
        from gapless.lease_record k
        join gapless.ledger l on l.series_id = k.series_id and l.turn = k.turn and l.ordinal = k.ordinal
        where k.series_id = p_series_id and k.ordinal = r.ordinal and k.count = r.count
          and coalesce(k.spent_key, l.key) = r.key
        limit 1
    ) k on true;
$$;
