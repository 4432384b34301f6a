-- ledger_continues() -> trigger on gapless.ledger, once per INSERT statement
--
-- Lets rows in only where they continue the ledger of one series: within the statement each range starts where the
-- one before ended, the first starts at the counter, and all lie in the open block. Then it advances the counter by
-- what was inserted. So the counter follows the ledger and never leads it, and the database itself refuses a gap, a
-- double or an ordinal out of line, also for somebody who inserts by hand, at any isolation. Rows of a
-- later turn are numbers that leave again: gapless.take_free lets each in only while it is free.
--
-- Raises 23514 (range_continues_the_ledger), also for ranges of several series in one statement: a batch is
-- inserted series by series. Takes the counter row, which the issuing functions hold already; whoever inserts by
-- hand queues up there. Reads nothing but the inserted rows and the counter: a look at the ledger would take
-- predicate locks that every other writer runs into.
create or replace function gapless.ledger_continues() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
    v_block_id  integer;
    v_ordinal   bigint;
    v_distance  bigint; -- from ordinal to serial, the same for all
    v_count     bigint;
    v_chained   boolean;
    v_turn      integer;
    v_series_max integer;
begin
    select min(s.series_id), min(s.block_id), min(s.ordinal), min(s.distance), sum(s.count)::bigint,
           min(s.series_id) = max(s.series_id) and min(s.block_id) = max(s.block_id)
               and min(s.distance) = max(s.distance) and max(s.turn) = 0 and bool_and(s.ordinal = s.due),
           min(s.turn), max(s.series_id)
    into v_series_id, v_block_id, v_ordinal, v_distance, v_count, v_chained, v_turn, v_series_max
    from (
        select i.series_id, i.block_id, i.turn, i.ordinal, i.count, i.serial - i.ordinal as distance,
               lag(i.ordinal + i.count, 1, i.ordinal) over (order by i.ordinal) as due
        from inserted i
    ) s;
    if v_count is null then -- no row was inserted
        return null;
    end if;
    if v_turn > 0 and v_series_id = v_series_max then
        perform gapless.take_free(
            v_series_id, array_agg(i.turn), array_agg(i.ordinal), array_agg(i.count), array_agg(i.serial), array_agg(i.block_id))
        from inserted i;
        return null;
    end if;

    update gapless.counter c
    set next_ordinal = c.next_ordinal + v_count, next_serial = c.next_serial + v_count
    where v_chained and c.series_id = v_series_id and c.block_id = v_block_id and c.next_ordinal = v_ordinal
      and c.next_serial - c.next_ordinal = v_distance and c.last_serial - c.next_serial >= v_count - 1;
    if not found then
        raise exception 'a range does not continue the ledger of its series'
            using errcode = 'check_violation', constraint = 'range_continues_the_ledger',
                  schema = 'gapless', table = 'ledger',
                  hint = 'Numbers leave through gapless.issue only.';
    end if;
    return null;
end;
$$;

create or replace trigger range_continues_the_ledger
    after insert on gapless.ledger
    referencing new table as inserted
    for each statement execute function gapless.ledger_continues();
