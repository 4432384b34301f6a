-- issued_between(p_series_id, p_from, p_to) -> runs of ordinals, by ordinal: the numbers that were issued,
-- for the last time, in p_from…p_to (null: any)
--
-- Moments never run backwards (gapless.ledger_continues), so first issues (turn 0) form one run; for the few
-- numbers that were issued again, the latest time counts, or the step back of a clock that was ahead then.
-- Numbers answered from a lease were issued at the moment of that answer. Takes no lock.
create or replace function gapless.issued_between(
    p_series_id integer, p_from timestamptz, p_to timestamptz
)
returns table (first bigint, last bigint)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_first bigint := 1;
    v_end   bigint;
    v_all   int8multirange;
    v_again record;
begin
    if p_from is not null then
        v_first := gapless.ordinal_at(p_series_id, p_from);
    end if;
    if p_to is null then
        select c.next_ordinal into v_end from gapless.counter c where c.series_id = p_series_id;
    else
        v_end := gapless.ordinal_at(p_series_id, p_to + interval '1 microsecond');
    end if;
    v_all := int8multirange(int8range(v_first, greatest(v_first, v_end)));
    select coalesce(
               range_agg(int8range(l.ordinal, l.ordinal + l.count)) filter (
                   where (m.moment < p_from) is not true and (m.moment > p_to) is not true),
               '{}') as within,
           coalesce(range_agg(int8range(l.ordinal, l.ordinal + l.count))
                        filter (where m.moment > p_to), '{}') as after
    into v_again
    from gapless.ledger l
    left join gapless.lease_record k
      on k.series_id = l.series_id and k.ordinal = l.ordinal and k.turn = l.turn
    join gapless.counter c on c.series_id = l.series_id
    cross join lateral (
        -- What is later than the series' last moment is from before a step (gapless.next_moment).
        select least(coalesce(k.answered_at, l.issued_at), case when l.issued_at > c.last_issued_at then (
            select max(s.at) from gapless.clock_step s where s.series_id = l.series_id) end)
    ) m (moment)
    where l.series_id = p_series_id and l.turn > 0
      -- What is settled was answered before, by a clock that may be ahead.
      and l.issued_at >= coalesce(p_from - interval '1 day', '-infinity');
    return query
        select lower(r), upper(r) - 1
        from unnest(v_all + v_again.within - v_again.after) as r
        order by 1;
end;
$$;
