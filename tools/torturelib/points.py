# Failpoints inside PostgreSQL: triggers that end the backend, or fail, in the middle of a batch.
#
# The schema torture is only in databases of this harness. A sequence counts passages, because it
# keeps its value when the transaction goes.

ACTIONS = {
    "terminate": "perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5);",
    "conflict": "raise exception 'a made-up conflict' using errcode = 'serialization_failure';",
}

# Where: the trigger's event. Ours run after those of the schema when the name sorts later.
PLACES = {
    # key and numbers are written, the counter is not moved yet
    "rows_written": "create trigger torture_hit after insert on gapless.ledger"
          " for each row execute function torture.hit()",
    "counter_moving": "create trigger torture_hit before update of next_ordinal on gapless.counter"
          " for each row execute function torture.hit()",
    # everything is written
    "commit_begun": "create constraint trigger torture_hit after insert on gapless.ledger"
          " deferrable initially deferred for each row execute function torture.hit()",
}

# In the order in which the service locks, so that nobody is in a deadlock.
QUIET = "begin; lock table gapless.counter; lock table gapless.ledger;"


def arm(place, action, passage):
    """SQL that makes the place fail at its so-manieth passage from now."""
    return f"""
{QUIET}
drop schema if exists torture cascade;
create schema torture;
grant usage on schema torture to public;
create sequence torture.passages;
create function torture.hit() returns trigger language plpgsql security definer as $$
begin
    if nextval('torture.passages') = {passage} then
        {ACTIONS[action]}
    end if;
    return new;
end;
$$;
{PLACES[place]};
commit;
"""


fired = "select is_called and last_value >= {} from torture.passages"
disarm = QUIET + "drop schema if exists torture cascade; commit;"
