-- used_part(p_block, p_next_serial) -> how far a block is used: its next serial, the ordinals of its issued
-- numbers, and its state
--
-- p_next_serial: where the series' counter stands, which decides while the block is open; null if only issued
-- numbers matter: an open block then counts to its end, and the counter is not read. state: exhausted once
-- the last number was issued, although the block's row stays open until the next block opens. ordinals: empty
-- until the block is opened. verify counts by itself, without this function. Inlined.
create or replace function gapless.used_part(p_block gapless.block, p_next_serial bigint default null)
returns table (next_serial bigint, ordinals int8range, state text)
language sql
stable
rows 1
as $$
    select n.next_serial,
           case when p_block.first_ordinal is null then 'empty'
                else int8range(
                    p_block.first_ordinal,
                    p_block.first_ordinal + least(
                        n.next_serial - p_block.first_serial, 9223372036854775807 - p_block.first_ordinal
                    )
                ) end,
           case
               when p_block.state = 'open' and n.next_serial > p_block.last_serial then 'exhausted'
               else p_block.state
               end
    from (
        select case p_block.state
               when 'queued' then p_block.first_serial
               when 'open' then coalesce(p_next_serial, p_block.last_serial + 1)
               when 'exhausted' then p_block.last_serial + 1
               else p_block.closed_serial
               end
    ) n (next_serial);
$$;
