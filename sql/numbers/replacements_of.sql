-- replacements_of(p_series_id, p_ordinals) -> for each number up to three that were issued later for the same
-- reference, and are neither voided, free nor held: the replacements of its label
--
-- Returns none for a reference with more than twenty ranges, which says nothing about single numbers, and
-- none from an issuance of more than ten numbers, which replaces no single label. Takes no lock.
create or replace function gapless.replacements_of(p_series_id integer, p_ordinals bigint[])
returns table (ordinal bigint, replacement bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
-- estimates grow with the tables: after years, starting workers would take longer than the query
set max_parallel_workers_per_gather = 0
set jit = off -- and so would compiling
as $$
    select v.ordinal, r.replacement
    from unnest(p_ordinals) as v (ordinal)
    cross join lateral gapless.ledger_row_of(p_series_id, v.ordinal) l
    cross join lateral (
        select n.replacement
        from (
            select s.ordinal, s.count, s.issued_at, count(*) over () as ranges
            from (
                select o.ordinal, o.count, o.issued_at
                from gapless.ledger o
                where o.series_id = p_series_id and o.reference = l.reference
                limit 21
            ) s
        ) o
        cross join lateral generate_series(o.ordinal, o.ordinal + o.count - 1) as n (replacement)
        where o.ranges <= 20 and o.count <= 10 and o.issued_at > l.issued_at
          and gapless.state_at(p_series_id, n.replacement) not in ('voided', 'free', 'held')
        order by o.issued_at, n.replacement
        limit 3
    ) r;
$$;
