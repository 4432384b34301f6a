-- recovered_answers(p_series_id, p_ordinals, p_counts) -> how many of these answers have all of their numbers
-- on record for nobody (gapless.epoch_fill), from element k ordinal p_ordinals[k] on
--
-- For answers from a lease that the database has forgotten: other numbers of theirs were issued once more.
create or replace function gapless.recovered_answers(
    p_series_id integer, p_ordinals bigint[], p_counts bigint[]
)
returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select count(*)
    from unnest(p_ordinals, p_counts) as a (ordinal, count)
    where a.count = (
        select sum(least(l.ordinal + l.count, a.ordinal + a.count) - greatest(l.ordinal, a.ordinal))
        from gapless.ledger l
        join gapless.token_owner o using (owner_id)
        where l.series_id = p_series_id and l.turn = 0 and o.name in ('recovered', 'quarantined')
          and l.ordinal > a.ordinal - 100000 -- no row has more numbers
          and l.ordinal < a.ordinal + a.count and l.ordinal + l.count > a.ordinal
    );
$$;
