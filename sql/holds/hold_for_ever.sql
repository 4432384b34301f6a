-- hold_for_ever() -> the hold_seconds that the ledger has for a hold that never expires; more than any client
-- may ask for. Inlined.
create or replace function gapless.hold_for_ever() returns integer
language sql
immutable
parallel safe
as $$
    select 2147483647;
$$;
