-- ledger_continues() -> trigger on gapless.ledger, once per INSERT statement
--
-- Lets fresh rows (turn 0) in only where they continue the ledger: within the statement each range starts where
-- the one before ended, the first starts at the counter, and all lie in the open block. Then it advances the
-- counter by what was inserted. So the counter follows the ledger and never leads it, and the database itself
-- refuses a gap, a double or an ordinal out of line, also for somebody who inserts by hand, at any isolation.
--
-- Raises 23514 (range_continues_the_ledger). Takes the counter rows of the series, which the issuing functions
-- hold already; whoever inserts by hand queues up there. Reads nothing but the inserted rows and the counters:
-- a look at the ledger would take predicate locks that every other writer runs into.
create or replace function gapless.ledger_continues() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series   integer;
    v_advanced integer;
begin
    with step as (
        select i.series_id, i.block_id, i.ordinal, i.count, i.serial - i.ordinal as distance,
               coalesce(lag(i.ordinal + i.count) over (partition by i.series_id order by i.ordinal), i.ordinal) as due
        from inserted i
        where i.turn = 0
    ), run as (
        select s.series_id, min(s.block_id) as block_id, min(s.ordinal) as ordinal, sum(s.count)::bigint as count,
               min(s.distance) as distance,
               bool_and(s.ordinal = s.due) and min(s.block_id) = max(s.block_id)
                   and min(s.distance) = max(s.distance) as chained
        from step s
        group by s.series_id
    ), advanced as (
        update gapless.counter c
        set next_ordinal = c.next_ordinal + r.count, next_serial = c.next_serial + r.count
        from run r
        where c.series_id = r.series_id and r.chained and c.block_id = r.block_id and c.next_ordinal = r.ordinal
          and c.next_serial - c.next_ordinal = r.distance and c.last_serial - c.next_serial >= r.count - 1
        returning 1
    )
    select (select count(*) from run), (select count(*) from advanced) into v_series, v_advanced;

    if v_series <> v_advanced then
        raise exception 'a range does not continue the ledger of its series'
            using errcode = 'check_violation', constraint = 'range_continues_the_ledger', schema = 'gapless', table = 'ledger',
                  hint = 'Numbers leave through gapless.issue only.';
    end if;
    return null;
end;
$$;

create or replace trigger range_continues_the_ledger
    after insert on gapless.ledger
    referencing new table as inserted
    for each statement execute function gapless.ledger_continues();
