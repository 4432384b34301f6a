-- hold_for_ever() -> the hold_seconds of a hold that never expires, in the ledger; longer than any client may
-- ask for. Inlined.
create or replace function gapless.hold_for_ever() returns integer
language sql
immutable
parallel safe
as $$
    select 2147483647;
$$;
