-- take_free(p_series_id, p_turns, p_ordinals, p_counts, p_serials, p_block_ids, p_issued_at) -> nothing
--
-- Issues free numbers again, each run as a ledger row with a turn of its own. Called by the ledger's trigger
-- for the rows of a statement, so that nobody can insert a row by hand for numbers that are not free: raises
-- 23514 (numbers_leave_again_only_when_free). Adds the reissued events. Locks counter, then tally.
create or replace function gapless.take_free(
    p_series_id integer, p_turns integer[], p_ordinals bigint[], p_counts integer[], p_serials bigint[],
    p_block_ids integer[], p_issued_at timestamptz
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_count   bigint := cardinality(p_turns);
    v_numbers int8multirange;
    v_total   bigint;
    v_chained boolean; -- the turns are 1, 2, 3 … after the counter's, and every run is where its block says
    v_last    bigint;
    v_arrived bigint;
begin
    select range_agg(int8range(r.ordinal, r.ordinal + r.count)), sum(r.count),
           count(distinct r.turn) = v_count and max(r.turn) - min(r.turn) = v_count - 1
               and bool_and(b.block_id is not null)
    into v_numbers, v_total, v_chained
    from unnest(
        p_turns, p_ordinals, p_counts, p_serials, p_block_ids
    ) as r (turn, ordinal, count, serial, block_id)
    left join gapless.block b on b.series_id = p_series_id and b.block_id = r.block_id
        and b.first_ordinal <= r.ordinal
        and b.first_serial + (r.ordinal - b.first_ordinal) = r.serial
        and r.serial + r.count - 1 <= b.last_serial;

    update gapless.counter c
    set turn = c.turn + v_count, waiting = c.waiting - v_total, last_issued_at = p_issued_at
    where c.series_id = p_series_id and v_chained
      and (
          c.last_issued_at <= p_issued_at
              or gapless.may_step_back(c.series_id, c.next_ordinal, c.last_issued_at, p_issued_at)
      )
      and c.turn + 1 = (select min(t) from unnest(p_turns) as t)
      and gapless.size_of(v_numbers) = v_total;
    if not found
       or gapless.change_state(
           p_series_id => p_series_id, p_numbers => v_numbers, p_from => array['free'], p_to => 'issued'
       ) <> v_numbers
    then
        raise exception 'ordinals % to % are not free to be issued again',
            lower(v_numbers), upper(v_numbers) - 1
            using errcode = 'check_violation', constraint = 'numbers_leave_again_only_when_free',
            schema = 'gapless', table = 'ledger';
    end if;

    update gapless.tally t set events = t.events + v_count
    where t.series_id = p_series_id
    returning t.events into v_last;
    insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, actor, turn)
    select p_series_id, v_last - v_count + row_number() over (order by r.turn), 'reissued', r.ordinal,
           r.ordinal + r.count - 1, 'gapless', r.turn
    from unnest(p_turns, p_ordinals, p_counts) as r (turn, ordinal, count);
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, v_count, 'number_event');
end;
$$;
