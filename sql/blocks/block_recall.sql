-- block_recall(p_block_id, p_reason, p_actor) -> nothing
--
-- For a block that the carrier rejects: closes its rest and voids its held and free numbers. Issued numbers
-- stay as they are, and so do those on lease, whose leases are recalled. Confirming such a hold later raises
-- GL022 (releasing it, GL012). Repeating it changes nothing. Raises GL008 not-found, GL014 state-conflict for
-- a withdrawn block, GL017 without a reason. Needs scope load (GL003, GL004: gapless.require_scope). Writes
-- one audit row, another for the close. Locks counter, then tally.
create or replace function gapless.block_recall(p_block_id integer, p_reason text, p_actor text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block  gapless.block;
    v_state  text;
    v_leased text[];
begin
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    p_actor := gapless.require_scope('load', gapless.series_name(v_block.series_id), p_actor);
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'recalling a block needs a reason' using errcode = 'GL017';
    end if;
    if v_block.block_id is null then
        raise exception 'there is no block %', p_block_id using errcode = 'GL008';
    end if;
    perform from gapless.counter c where c.series_id = v_block.series_id for update;
    perform from gapless.tally t where t.series_id = v_block.series_id for update;
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    if v_block.state = 'withdrawn' then
        raise exception 'block % was withdrawn, none of its numbers ever left', p_block_id
            using errcode = 'GL014';
    end if;
    if v_block.recalled_at is not null then
        return;
    end if;

    select u.state into v_state
    from gapless.counter c
    cross join lateral gapless.used_part(v_block, c.next_serial) u
    where c.series_id = v_block.series_id;
    if v_state in ('queued', 'open') then
        perform gapless.block_end(p_block_id, p_reason, p_actor);
    end if;
    update gapless.block b set recalled_at = now()
    where b.series_id = v_block.series_id and b.block_id = p_block_id;
    v_leased := gapless.leases_of_block_recall(v_block.series_id, p_block_id);
    perform gapless.end_holds_of_block(v_block.series_id, p_block_id, p_reason, p_actor);
    perform gapless.void_free_of_block(
        p_series_id => v_block.series_id, p_block_id => p_block_id, p_reason => p_reason,
        p_actor => p_actor
    );
    perform gapless.audit(
        p_actor => p_actor, p_action => 'block.recall', p_subject => p_block_id::text,
        p_before => jsonb_build_object('state', v_state),
        p_after => jsonb_build_object('recalled', true, 'reason', p_reason) || gapless.on_lease(v_leased)
    );
end;
$$;
