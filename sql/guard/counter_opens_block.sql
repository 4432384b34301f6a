-- counter_opens_block() -> trigger on gapless.counter, when its block changes
--
-- The next block starts only after the one before is used up or closed; it starts at its first serial, and
-- must be open at the counter's next ordinal. Closing a block leaves the counter without one. Raises 23514.
create or replace function gapless.counter_opens_block() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if old.block_id is not null and old.next_serial <= old.last_serial and not exists (
        select from gapless.block b
        where b.series_id = old.series_id and b.block_id = old.block_id and b.state = 'closed'
    ) then
        raise exception 'block % still has numbers from % on', old.block_id, old.next_serial
            using errcode = 'check_violation', constraint = 'block_is_used_up_before_the_next',
            schema = 'gapless', table = 'counter';
    end if;
    if new.block_id is not null and not exists (
        select from gapless.block b
        where b.series_id = new.series_id and b.block_id = new.block_id and b.state = 'open'
          and b.first_serial = new.next_serial and b.first_ordinal = new.next_ordinal
    ) then
        raise exception 'block % is not open at its first number', new.block_id
            using errcode = 'check_violation', constraint = 'block_opens_at_its_first_number',
            schema = 'gapless', table = 'counter';
    end if;
    return new;
end;
$$;

create or replace trigger counter_opens_block before update of block_id on gapless.counter
    for each row execute function gapless.counter_opens_block();
