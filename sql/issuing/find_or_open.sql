-- find_or_open(p_series_id, p_total, p_serializable, p_known_epoch, p_known_counter, p_known_ordinal,
-- p_known_turn) -> where the series' counter lies, looked up and noted (gapless.note_counter); null: there is
-- no such series
--
-- For the fast paths, where the counter is not, or not fit, where this session saw it last. When nothing is
-- left of the open block, or none was opened yet, the next one in the queue opens here, so that the first
-- number of a block is as plain as the second. Only where the numbers then certainly leave: for the service's
-- batches, when the block has room for all p_total, its time is not over, and the counter is fit in
-- everything else that gapless.issue_plain asks. Else nothing is changed, and the batch is not plain.
--
-- Locks the counter it opens a block for until COMMIT: the queue does not change under it. Waits for none.
create or replace function gapless.find_or_open(
    p_series_id integer, p_total bigint, p_serializable boolean, p_known_epoch integer, p_known_counter oid,
    p_known_ordinal bigint, p_known_turn integer
)
returns tid
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_now   timestamptz := clock_timestamp();
    v_place tid;
    v_old   integer;
    v_next  bigint;
    v_last  timestamptz;
    v_due   boolean;
    v_block gapless.block;
    v_noted text;
begin
    select c.ctid, c.block_id, c.next_ordinal, c.last_issued_at,
           p_serializable and (c.next_serial <= c.last_serial) is not true
               and not c.paused and not c.fenced and c.waiting = 0
               and c.last_issued_at <= v_now + interval '1 hour'
               and c.next_ordinal > coalesce(p_known_ordinal, 0)
               and (c.epoch, c.turn) >= (p_known_epoch, coalesce(p_known_turn, 0))
               and (c.tableoid = p_known_counter) is not false
    into v_place, v_old, v_next, v_last, v_due
    from gapless.counter c
    where c.series_id = p_series_id;
    if v_due then
        select * into v_block
        from gapless.block b
        where b.series_id = p_series_id and b.state = 'queued'
        order by b.position
        limit 1;
        if v_block.last_serial - v_block.first_serial >= p_total - 1
           and (v_block.valid_until <= greatest(v_now, v_last)) is not true
        then
            perform from gapless.counter c
            where c.ctid = v_place and c.series_id + 0 = p_series_id
            for update skip locked;
            if found then
                if v_old is not null then
                    update gapless.block b set state = 'exhausted'
                    where b.series_id = p_series_id and b.block_id = v_old and b.state = 'open';
                end if;
                update gapless.block b set state = 'open', first_ordinal = v_next
                where b.series_id = p_series_id and b.block_id = v_block.block_id;
                update gapless.counter c
                set block_id = v_block.block_id, next_serial = v_block.first_serial,
                    last_serial = v_block.last_serial, valid_until = v_block.valid_until
                where c.ctid = v_place and c.series_id + 0 = p_series_id
                returning c.ctid into v_place;
            end if;
        end if;
    end if;
    v_noted := gapless.note_counter(p_series_id, v_place);
    return v_place;
end;
$$;
