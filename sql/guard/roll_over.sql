-- roll_over(p_series_id, p_block_ids, p_ordinals, p_serials, p_counts, p_issued_at) -> whether the series
-- went on in its next queued blocks
--
-- Called by the ledger's trigger for a statement whose rows reach into queued blocks. Element k of the arrays
-- describes what was inserted of block k, in the order of ordinals: where it starts and how many numbers it
-- has, which are one run. Proves that these are the next numbers of the series: the first block is the open
-- one, whose rest is used up, or that one had nothing left; all others are the next in the queue, none
-- skipped; each starts at its first serial and is used up before the next starts. Then updates each block
-- once, and the counter, so that the cost per block stays the same even for thousands of them. If the proof
-- fails, returns false and changes nothing. The triggers of block and counter check again. An expired block
-- may open only while the database is fenced, to record numbers issued before a restore.
--
-- Locks the counter, so that the queue cannot change.
create or replace function gapless.roll_over(
    p_series_id integer, p_block_ids integer[], p_ordinals bigint[], p_serials bigint[], p_counts bigint[],
    p_issued_at timestamptz
)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_counter gapless.counter;
    v_rest    bigint;  -- how many numbers the open block has left
    v_old     integer; -- 1: the first of the blocks is the open one
    v_new     integer; -- how many blocks open
    v_last    integer := cardinality(p_block_ids);
    v_in_line boolean;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    v_rest := coalesce(v_counter.last_serial - v_counter.next_serial + 1, 0);
    v_old := (v_rest > 0)::integer;
    v_new := v_last - v_old;
    if (
        v_counter.next_ordinal = p_ordinals[1] and v_new > 0
            and (
                v_counter.last_issued_at <= p_issued_at
                    or gapless.may_step_back(
                        p_series_id, v_counter.next_ordinal, v_counter.last_issued_at, p_issued_at
                    )
            )
    ) is not true
       or (
           v_old = 1
               and (p_block_ids[1], p_serials[1], p_counts[1]) is distinct from (
                   v_counter.block_id, v_counter.next_serial, v_rest
               )
       )
    then
        return false;
    end if;

    select count(*) = v_new and bool_and(
               b.block_id = p_block_ids[v_old + b.place] and b.first_serial = p_serials[v_old + b.place]
               and case
                   when b.place < v_new then p_counts[v_old + b.place] = b.size
                   else p_counts[v_last] between 1 and b.size
                   end
               and (
                   b.valid_until is null or b.valid_until > p_issued_at
                       or b.valid_until > gapless.believed_moment(p_issued_at)
                       or (select s.trouble from gapless.epoch_state() s) is not null
               ))
    into v_in_line
    from (
        select b.block_id, b.first_serial, b.last_serial - b.first_serial + 1 as size, b.valid_until,
               row_number() over (order by b.position)::integer as place
        from gapless.block b
        where b.series_id = p_series_id and b.state = 'queued'
        order by b.position
        limit v_new
    ) b;
    if v_in_line is not true then
        return false;
    end if;

    -- First move the counter to the end of its block, and to the ordinal where the last block starts: the
    -- blocks in between are behind it.
    update gapless.counter c
    set next_ordinal = p_ordinals[v_last], next_serial = c.last_serial + 1
    where c.series_id = p_series_id;
    update gapless.block b set state = 'exhausted'
    where b.series_id = p_series_id and b.block_id = v_counter.block_id and b.state = 'open';
    -- "+ 0" makes the planner look up each block by its id. Without statistics on the table it would expect
    -- one block per series, and scan the array for each of them.
    update gapless.block b set state = 'exhausted', first_ordinal = w.ordinal
    from unnest(p_block_ids, p_ordinals) with ordinality as w (block_id, ordinal, place)
    where w.place between v_old + 1 and v_last - 1 and b.series_id + 0 = p_series_id
      and b.block_id = w.block_id;
    update gapless.block b set state = 'open', first_ordinal = p_ordinals[v_last]
    where b.series_id = p_series_id and b.block_id = p_block_ids[v_last];
    update gapless.counter c
    set block_id = b.block_id, next_serial = b.first_serial, last_serial = b.last_serial,
        valid_until = b.valid_until
    from gapless.block b
    where c.series_id = p_series_id and b.series_id = c.series_id and b.block_id = p_block_ids[v_last];
    update gapless.counter c
    set next_ordinal = c.next_ordinal + p_counts[v_last], next_serial = c.next_serial + p_counts[v_last],
        last_issued_at = p_issued_at
    where c.series_id = p_series_id;
    return true;
end;
$$;
