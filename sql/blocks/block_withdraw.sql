-- block_withdraw(p_block_id, p_reason, p_actor) -> nothing
--
-- Takes back a block of which no number was ever issued or held: closes it if need be, and its numbers can be
-- loaded again, into this series or another. Repeating it changes nothing. Raises GL008 not-found, GL014
-- state-conflict once a number was issued, GL017 without a reason. Needs scope load (GL003, GL004:
-- gapless.require_scope). Writes one audit row, another for the close. Locks the number space against loads,
-- then the counter.
create or replace function gapless.block_withdraw(p_block_id integer, p_reason text, p_actor text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block   gapless.block;
    v_series  text;
    v_next    bigint;
    v_program jsonb;
begin
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    v_series := gapless.series_name(v_block.series_id);
    p_actor := gapless.require_scope('load', v_series, p_actor);
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'withdrawing a block needs a reason' using errcode = 'GL017';
    end if;
    if v_block.block_id is null then
        raise exception 'there is no block %', p_block_id using errcode = 'GL008';
    end if;
    v_program := (gapless.lock_space(v_series)).program;
    perform from gapless.counter c where c.series_id = v_block.series_id for update;
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    if v_block.state = 'withdrawn' then
        return;
    end if;
    select u.next_serial into v_next
    from gapless.counter c
    cross join lateral gapless.used_part(v_block, c.next_serial) u
    where c.series_id = v_block.series_id;
    if v_next > v_block.first_serial then
        raise exception 'block % cannot be withdrawn: % of its numbers were issued or held, %…%; '
            'close it, or recall it if the carrier rejects them', p_block_id,
            v_next - v_block.first_serial, gapless.format_number(v_program, v_block.first_serial),
            gapless.format_number(v_program, v_next - 1)
            using errcode = 'GL014';
    end if;

    if v_block.state <> 'closed' then
        perform gapless.block_end(p_block_id, p_reason, p_actor);
    end if;
    update gapless.block b set state = 'withdrawn'
    where b.series_id = v_block.series_id and b.block_id = p_block_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'block.withdraw', p_subject => p_block_id::text,
        p_before => jsonb_build_object('state', v_block.state),
        p_after => jsonb_build_object('state', 'withdrawn', 'reason', p_reason)
    );
end;
$$;
