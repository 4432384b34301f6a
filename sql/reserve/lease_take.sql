-- lease_take(p_series_id, p_instance, p_secret, p_incarnation, p_lease, p_count, p_lease_time) -> the run
-- that is now on lease; no row if none is available
--
-- Takes up to p_count fresh numbers of one block (gapless.lease_room) as one hold that never expires, for the
-- owner lease:INSTANCE under the key p_lease. Repeating a call with the same p_lease takes nothing and
-- returns the same row. draw_until: p_lease_time from now, never past the block's valid_until. Raises GL005
-- unknown-series, GL004 for another secret, GL011 series-paused, GL014 for a copy
-- (gapless.require_incarnation) or another instance's lease, GL017 for a count or lease time out of range, or
-- at the series' low water mark, GL019 fenced, GL020 in an unsafe session, or if COMMIT does not wait for a
-- connected standby: a failover would lose the lease. Locks instance, counter, then tally.
create or replace function gapless.lease_take(
    p_series_id integer, p_instance uuid, p_secret bytea, p_incarnation integer, p_lease uuid,
    p_count bigint, p_lease_time interval
)
returns table (
    turn integer, ordinal bigint, serial bigint, count bigint, block_id integer, epoch integer, first text,
    valid_until timestamptz, draw_until timestamptz, issued_at timestamptz
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- as in gapless.issue_requests
as $$
#variable_conflict use_column
declare
    v_counter gapless.counter;
    v_lease   gapless.lease;
    v_moment  timestamptz;
    v_believed timestamptz;
    v_room    record;
    v_count   bigint;
    v_arrived bigint;
begin
    perform gapless.assert_safe_to_issue(false);
    perform gapless.require_incarnation(p_instance, p_secret, p_incarnation);
    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    if not found then
        raise exception 'series % does not exist', p_series_id using errcode = 'GL005';
    end if;
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    if found then
        if (v_lease.series_id, v_lease.instance) <> (p_series_id, p_instance) then
            raise exception 'lease % is of another instance or series', p_lease using errcode = 'GL014';
        end if;
        return query select * from gapless.lease_run(p_lease);
        return;
    end if;

    v_moment := gapless.next_moment(v_counter);
    v_believed := gapless.believed_moment(v_moment);
    select * into v_room from gapless.lease_room(p_series_id, v_believed);
    perform gapless.refuse_lease(v_counter, v_room.low, p_count, p_lease_time);
    v_count := least(p_count, v_room.room);
    if v_count = 0 then
        return;
    end if;
    -- Close expired queued blocks that are passed over, so that no queued block ever precedes the open one.
    perform gapless.block_end(b.block_id, 'expired', 'gapless')
    from gapless.block b
    join gapless.block o on o.series_id = b.series_id and o.block_id = v_room.block_id and o.state = 'queued'
    where b.series_id = p_series_id and b.state = 'queued' and b.position < o.position
      and b.valid_until <= v_believed;
    perform gapless.ledger_insert(array[gapless.ledger_entry(
        p_series_id => p_series_id, p_ordinal => v_counter.next_ordinal, p_serial => v_room.serial,
        p_count => v_count::integer, p_block_id => v_room.block_id,
        p_owner_id => gapless.owner_id('lease:' || p_instance), p_epoch => v_counter.epoch,
        p_issued_at => v_moment, p_reference => null, p_key => p_lease,
        p_hold_seconds => gapless.hold_for_ever())]);
    perform gapless.hold_run(
        p_series_id => p_series_id, p_ordinal => v_counter.next_ordinal, p_issued_at => v_moment,
        p_offsets => array[0::bigint], p_counts => array[v_count::integer],
        p_holds => array[gapless.hold_for_ever()]
    );
    insert into gapless.lease (
        series_id, ordinal, lease, instance, incarnation, count, granted_at, draw_until
    )
    values (
        p_series_id, v_counter.next_ordinal, p_lease, p_instance, p_incarnation, v_count, v_moment,
        least(v_moment + p_lease_time, v_room.valid_until)
    );
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'lease');
    return query select * from gapless.lease_run(p_lease);
end;
$$;
