-- ledger_row_of(p_series_id, p_ordinal) -> the ledger row that last issued this number; no row if it was
-- never issued
create or replace function gapless.ledger_row_of(p_series_id integer, p_ordinal bigint)
returns setof gapless.ledger
language sql
stable
rows 1
set search_path = pg_catalog, pg_temp
-- estimates grow with the tables: after years, starting workers would take longer than the query
set max_parallel_workers_per_gather = 0
set jit = off -- and so would compiling
as $$
    with again as (
        select max(e.turn) as turn
        from gapless.number_event e
        where e.series_id = p_series_id and int8range(e.first_ordinal, e.last_ordinal, '[]') @> p_ordinal
          and e.kind = 'reissued'
    )
    select l.*
    from again a
    cross join lateral (
        select *
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn = coalesce(a.turn, 0) and l.ordinal <= p_ordinal
        order by l.ordinal desc
        limit 1
    ) l
    where p_ordinal < l.ordinal + l.count;
$$;
