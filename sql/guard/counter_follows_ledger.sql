-- counter_follows_ledger() -> trigger on gapless.counter, when anybody but the ledger's trigger writes it
--
-- Only the ledger's own trigger advances a counter within its block, so that the counter never leads the
-- ledger, and no number is skipped or issued twice. Raises 23514, also for a counter that is out of bounds.
-- The trigger's WHEN condition tells whether the ledger's trigger is the writer. It is short because, like a
-- CHECK, it is parsed again for every batch.
create or replace function gapless.counter_follows_ledger() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'UPDATE' and (new.next_ordinal <> old.next_ordinal or new.last_issued_at <> old.last_issued_at
                             or (new.block_id = old.block_id
                                 and (new.next_serial <> old.next_serial
                                      or new.valid_until is distinct from old.valid_until)))
    then
        raise exception 'the counter of series % follows the ledger: it is not set by hand', old.series_id
            using errcode = 'check_violation', constraint = 'counter_follows_the_ledger',
                  schema = 'gapless', table = 'counter',
                  hint = 'Numbers are issued by gapless.issue only.';
    end if;
    -- A change of something else goes through beside a damaged counter: fencing, above all.
    if tg_op = 'UPDATE' and (new.next_ordinal, new.block_id, new.next_serial, new.last_serial)
       is not distinct from (old.next_ordinal, old.block_id, old.next_serial, old.last_serial)
    then
        return new;
    end if;
    if new.next_ordinal < 1 or num_nulls(new.block_id, new.next_serial, new.last_serial) not in (0, 3)
       or new.next_serial < 0 or new.next_serial - 1 > new.last_serial
    then
        raise exception 'the counter of series % is not in its block', new.series_id
            using errcode = 'check_violation', constraint = 'counter_is_in_its_block', schema = 'gapless',
            table = 'counter';
    end if;
    return new;
end;
$$;

create or replace trigger counter_follows_the_ledger before insert or update on gapless.counter
    for each row when (pg_trigger_depth() = 0)
    execute function gapless.counter_follows_ledger();
