-- block_keeps_its_bounds() -> trigger on gapless.block, for each inserted or updated row
--
-- A block is inserted as queued. It keeps its series, space, ends and cycle and, once they are set, its first
-- ordinal, where it was closed and when it was recalled. Its state never goes back: queued, open, exhausted,
-- or closed at any time before that, and withdrawn after it was closed with nothing issued. It opens at the
-- counter's next ordinal, is exhausted once the counter is beyond its last serial, and closes where the
-- counter stands. Only the ledger's trigger, which has seen all numbers of a queued block being issued, may
-- turn it into an exhausted one (gapless.roll_over). Raises 23514.
create or replace function gapless.block_keeps_its_bounds() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_counter gapless.counter;
    v_in_line boolean := true;
begin
    if tg_op = 'INSERT' then
        if new.state <> 'queued' then
            raise exception 'a block is loaded queued, not %', new.state
                using errcode = 'check_violation', constraint = 'block_is_loaded_queued',
                      schema = 'gapless', table = 'block';
        end if;
        return new;
    end if;

    if (new.series_id, new.block_id, new.space, new.assigned_serial, new.first_serial, new.last_serial,
        new.cycle)
       is distinct from (old.series_id, old.block_id, old.space, old.assigned_serial, old.first_serial,
                         old.last_serial, old.cycle)
       or (old.recalled_at is not null and new.recalled_at is distinct from old.recalled_at)
       or (old.first_ordinal is not null and new.first_ordinal is distinct from old.first_ordinal)
       or (old.state in ('closed', 'withdrawn')
           and (new.closed_serial, new.closed_reason) is distinct from (old.closed_serial, old.closed_reason))
    then
        raise exception 'block % was loaded as %…% and stays so', old.block_id, old.first_serial,
            old.last_serial
            using errcode = 'check_violation', constraint = 'block_keeps_its_bounds',
                  schema = 'gapless', table = 'block',
                  hint = 'Close the block and load another one.';
    end if;
    if new.state = old.state then
        return new;
    end if;

    if array_position(array['queued', 'open', 'exhausted', 'closed', 'withdrawn'], new.state)
       < array_position(array['queued', 'open', 'exhausted', 'closed', 'withdrawn'], old.state)
    then
        raise exception 'block % is % and cannot become % again', old.block_id, old.state, new.state
            using errcode = 'check_violation', constraint = 'block_never_goes_back',
                  schema = 'gapless', table = 'block';
    end if;
    select * into v_counter from gapless.counter c where c.series_id = old.series_id;
    v_in_line := case new.state
        when 'open' then new.first_ordinal = v_counter.next_ordinal
        when 'exhausted' then case old.state
            when 'open' then v_counter.block_id = old.block_id and v_counter.next_serial > old.last_serial
            when 'queued' then pg_trigger_depth() > 1
                and new.first_ordinal + (old.last_serial - old.first_serial) < v_counter.next_ordinal
            end
        when 'closed' then case old.state
            when 'queued' then new.closed_serial = old.first_serial
            when 'open' then v_counter.block_id = old.block_id and new.closed_serial = v_counter.next_serial
            end
        when 'withdrawn' then old.state = 'closed' and old.closed_serial = old.first_serial
        end;
    if v_in_line is not true then
        raise exception 'block % is %: it cannot become % where the counter stands', old.block_id, old.state,
            new.state
            using errcode = 'check_violation', constraint = 'block_follows_its_counter',
                  schema = 'gapless', table = 'block';
    end if;
    return new;
end;
$$;

create or replace trigger block_keeps_its_bounds before insert or update on gapless.block
    for each row execute function gapless.block_keeps_its_bounds();
