-- open_block(p_series_id, p_block_id) -> nothing
--
-- Rollover: the block before is exhausted, this one is open from the next ordinal on, and the counter points at
-- its first serial. The triggers of block and counter refuse it while the block before has numbers left.
create or replace function gapless.open_block(p_series_id integer, p_block_id integer) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_counter gapless.counter;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;

    -- By its key: the index of open blocks holds a dead entry for every rollover of this transaction.
    update gapless.block b set state = 'exhausted'
    where b.series_id = p_series_id and b.block_id = v_counter.block_id and b.state = 'open';

    update gapless.block b set state = 'open', first_ordinal = v_counter.next_ordinal
    where b.series_id = p_series_id and b.block_id = p_block_id;

    update gapless.counter c
    set block_id = b.block_id, next_serial = b.first_serial, last_serial = b.last_serial, valid_until = b.valid_until
    from gapless.block b
    where c.series_id = p_series_id and b.series_id = c.series_id and b.block_id = p_block_id;
end;
$$;
