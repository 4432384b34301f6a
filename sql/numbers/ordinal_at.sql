-- ordinal_at(p_series_id, p_moment) -> the first ordinal issued at or after a moment, the counter's next if
-- there is none
--
-- A binary search over the ordinals: reads some sixty ledger rows at most. Exact, because moments never run
-- backwards (gapless.ledger_continues) except where the clock was set back (gapless.clock_step): numbers with
-- a moment ahead of such a step count as issued at the moment of the step.
create or replace function gapless.ordinal_at(p_series_id integer, p_moment timestamptz) returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_low  bigint := 1;
    v_high bigint;
    v_row  record;
begin
    select c.next_ordinal into v_high from gapless.counter c where c.series_id = p_series_id;
    while v_low < v_high loop
        select l.ordinal, l.count, l.issued_at into v_row
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn = 0 and l.ordinal <= v_low + (v_high - v_low) / 2
        order by l.ordinal desc
        limit 1;
        select least(v_row.issued_at, min(s.at)) into v_row.issued_at
        from gapless.clock_step s
        where s.series_id = p_series_id and s.ordinal > v_row.ordinal;
        if v_row.issued_at < p_moment then
            v_low := v_row.ordinal + v_row.count;
        else
            v_high := v_row.ordinal;
        end if;
    end loop;
    return v_low;
end;
$$;
