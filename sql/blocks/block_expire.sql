-- block_expire(p_block_id) -> 1 if it closed the block as expired, else 0
--
-- An open block that is used up stays as it is: nothing is left to void. Locks the counter, but skips the
-- block this time if somebody else has locked it.
create or replace function gapless.block_expire(p_block_id integer) returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block gapless.block;
begin
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    perform from gapless.counter c
    where c.series_id = v_block.series_id
      and (c.block_id is distinct from p_block_id or c.next_serial <= c.last_serial)
    for update skip locked;
    if not found then
        return 0;
    end if;
    perform gapless.block_end(p_block_id, 'expired', 'gapless');
    return 1;
exception
    when sqlstate 'GL014' then -- closed by somebody else meanwhile
        return 0;
end;
$$;
