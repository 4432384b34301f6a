-- block_end(p_block_id, p_reason, p_actor) -> how many numbers will never be issued
--
-- Ends a queued or open block, recording the reason; its remaining numbers are never issued. Raises GL008
-- not-found, GL014 state-conflict for a block that is exhausted or closed, GL017 without a reason. Recalls
-- leases of its numbers. Writes one audit row, with what is on lease. Locks the counter, not the series: an
-- issue that finds its block expired ends it while it holds the counter. Checks no token, because issuing and
-- sweeping end expired blocks; everybody else calls gapless.block_close.
create or replace function gapless.block_end(p_block_id integer, p_reason text, p_actor text) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block   gapless.block;
    v_counter gapless.counter;
    v_from    bigint;
    v_state   text;
    v_leased  text[];
begin
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'closing a block needs a reason' using errcode = 'GL017';
    end if;
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    if not found then
        raise exception 'there is no block %', p_block_id using errcode = 'GL008';
    end if;
    select * into v_counter from gapless.counter c where c.series_id = v_block.series_id for update;
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    select u.next_serial, u.state into v_from, v_state
    from gapless.used_part(v_block, v_counter.next_serial) u;
    if v_state = 'exhausted' then
        raise exception 'block % is exhausted, there is nothing to close; recall it to end numbers of it '
                        'that came back', p_block_id
            using errcode = 'GL014';
    elsif v_state not in ('queued', 'open') then
        raise exception 'block % is %, there is nothing to close', p_block_id, v_state
            using errcode = 'GL014';
    end if;

    update gapless.block b
    set state = 'closed', closed_serial = v_from, closed_reason = p_reason
    where b.series_id = v_block.series_id and b.block_id = p_block_id;
    if v_block.state = 'open' then
        update gapless.counter c
        set block_id = null, next_serial = null, last_serial = null, valid_until = null
        where c.series_id = v_block.series_id;
        -- Its free numbers are not issued again either.
        perform gapless.void_free_of_block(
            p_series_id => v_block.series_id, p_block_id => p_block_id, p_reason => p_reason,
            p_actor => p_actor
        );
    end if;

    v_leased := gapless.leases_of_block_recall(v_block.series_id, p_block_id);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'block.close', p_subject => p_block_id::text,
        p_before => jsonb_build_object('state', v_block.state),
        p_after => jsonb_build_object('state', 'closed', 'closed_serial', v_from::text, 'reason', p_reason)
            || gapless.on_lease(v_leased)
    );
    return v_block.last_serial - v_from + 1;
end;
$$;
