-- counter_follows_ledger() -> trigger on gapless.counter, when somebody moves it by hand
--
-- Only the ledger's own trigger moves a counter on within its block, so that it never leads the ledger and no
-- number is skipped or left again. Raises 23514. Whether that trigger is at work is asked in the trigger's
-- condition, which costs issuing nothing.
create or replace function gapless.counter_follows_ledger() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception 'the counter of series % follows the ledger: it is not set by hand', old.series_id
        using errcode = 'check_violation', constraint = 'counter_follows_the_ledger',
              schema = 'gapless', table = 'counter',
              hint = 'Numbers leave through gapless.issue only.';
end;
$$;

create or replace trigger counter_follows_the_ledger before update of next_ordinal, next_serial on gapless.counter
    for each row
    when (
        pg_trigger_depth() = 0
        and (new.next_ordinal <> old.next_ordinal
             or (new.block_id = old.block_id and new.next_serial <> old.next_serial))
    )
    execute function gapless.counter_follows_ledger();
