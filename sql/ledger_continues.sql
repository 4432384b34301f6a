-- ledger_continues() -> trigger on gapless.ledger, once per INSERT statement
--
-- Lets rows in only where they continue the ledger of their series: within the statement each range starts where the
-- one before ended, the first starts at the counter, and all lie in the open block. Then it advances the counter by
-- what was inserted. So the counter follows the ledger and never leads it, and the database itself refuses a gap, a
-- double or an ordinal out of line, also for somebody who inserts by hand, at any isolation. Rows of a
-- later turn are numbers that leave again: gapless.take_free lets each in only while it is free.
--
-- Raises 23514: range_continues_the_ledger, or range_is_well_formed. Takes the counter row, which the issuing functions
-- hold already; whoever inserts by hand queues up there. Reads nothing but the inserted rows and the counter: a look at
-- the ledger would take predicate locks that every other writer runs into.
create or replace function gapless.ledger_continues() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v       record;
    v_moved bigint;
begin
    select count(*) as rows, sum(i.count) as numbers, min(i.count) as least, min(i.turn) as turn, max(i.turn) as turn_max,
           min(i.series_id) as series_id, max(i.series_id) as series_max, min(i.block_id) as block_id, max(i.block_id) as block_max,
           min(i.ordinal) as ordinal, max(i.ordinal) as ordinal_max,
           min(i.serial - i.ordinal) as distance, max(i.serial - i.ordinal) as distance_max,
           count(i.key) as keys, count(i.head_ordinal) as heads, count(i.head_turn) as head_turns, min(i.hold_seconds) as hold
    into v
    from inserted i;
    if v.rows = 0 then
        return null;
    end if;

    -- What nearly every batch is: requests for one number each. The ordinals are distinct, which is the primary key's
    -- word, and there are as many as from the least to the largest: so they are a run.
    if v.least = 1 and v.numbers = v.rows and v.ordinal_max - v.ordinal = v.rows - 1 and v.series_id = v.series_max and v.block_id = v.block_max
       and v.distance = v.distance_max and v.turn = 0 and v.turn_max = 0 and v.keys = v.rows and v.heads = 0 and v.head_turns = 0
       and (v.hold > 0) is not false
    then
        update gapless.counter c
        set next_ordinal = c.next_ordinal + v.numbers, next_serial = c.next_serial + v.numbers
        where c.series_id = v.series_id and c.block_id = v.block_id and c.next_ordinal = v.ordinal
          and c.next_serial - c.next_ordinal = v.distance and c.last_serial - c.next_serial >= v.numbers - 1;
        if found then
            return null;
        end if;
    end if;

    if v.least < 1 or v.turn < 0 or v.hold < 1 or exists (
        select from inserted i
        where (i.key is null) <> (i.head_ordinal is not null) or (i.head_ordinal is null) <> (i.head_turn is null)
    ) then
        raise exception 'a range has no number, neither key nor head, or a hold of no time'
            using errcode = 'check_violation', constraint = 'range_is_well_formed', schema = 'gapless', table = 'ledger';
    elsif v.turn > 0 and v.series_id = v.series_max then
        perform gapless.take_free(
            v.series_id, array_agg(i.turn), array_agg(i.ordinal), array_agg(i.count), array_agg(i.serial), array_agg(i.block_id))
        from inserted i;
        return null;
    end if;

    with part as (
        select r.series_id, min(r.block_id) as block_id, min(r.ordinal) as ordinal, min(r.distance) as distance, sum(r.count)::bigint as count,
               min(r.block_id) = max(r.block_id) and min(r.distance) = max(r.distance) and bool_and(r.ordinal = r.due) as chained
        from (
            select i.series_id, i.block_id, i.ordinal, i.serial - i.ordinal as distance, i.count,
                   lag(i.ordinal + i.count, 1, i.ordinal) over (partition by i.series_id order by i.ordinal) as due
            from inserted i
        ) r
        group by r.series_id
    ), moved as (
        update gapless.counter c
        set next_ordinal = c.next_ordinal + p.count, next_serial = c.next_serial + p.count
        from part p
        where p.chained and c.series_id = p.series_id and c.block_id = p.block_id and c.next_ordinal = p.ordinal
          and c.next_serial - c.next_ordinal = p.distance and c.last_serial - c.next_serial >= p.count - 1
        returning c.series_id
    )
    select count(m.series_id) into v_moved
    from part p
    left join moved m on m.series_id = p.series_id
    having count(m.series_id) = count(*) and v.turn_max = 0;
    if v_moved is null then
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
