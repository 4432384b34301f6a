-- take_free(p_series_id, p_ordinal, p_count, p_serial, p_block_id, p_turn) -> nothing
--
-- Numbers that had come back leave again, as a ledger row of a turn of its own: called by the ledger's trigger for each such row, so that
-- nobody can put one in by hand for numbers that are not free. Raises 23514 (numbers_leave_again_only_when_free) otherwise. Adds the
-- event reissued. Locks counter, then tally.
create or replace function gapless.take_free(
    p_series_id integer, p_ordinal bigint, p_count integer, p_serial bigint, p_block_id integer, p_turn integer
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_numbers int8multirange := int8multirange(int8range(p_ordinal, p_ordinal + p_count));
begin
    update gapless.counter c
    set turn = c.turn + 1, waiting = c.waiting - p_count
    where c.series_id = p_series_id and c.turn + 1 = p_turn;
    if not found
       or not exists (
           select from gapless.block b
           where b.series_id = p_series_id and b.block_id = p_block_id and b.first_ordinal <= p_ordinal
             and b.first_serial + (p_ordinal - b.first_ordinal) = p_serial and p_serial + p_count - 1 <= b.last_serial
       )
       or gapless.change_state(p_series_id, v_numbers, array['free'], 'issued') <> v_numbers
    then
        raise exception 'ordinals % to % are not free to leave again', p_ordinal, p_ordinal + p_count - 1
            using errcode = 'check_violation', constraint = 'numbers_leave_again_only_when_free', schema = 'gapless', table = 'ledger';
    end if;
    insert into gapless.number_event (series_id, kind, first_ordinal, last_ordinal, actor, turn)
    values (p_series_id, 'reissued', p_ordinal, p_ordinal + p_count - 1, 'gapless', p_turn);
end;
$$;
