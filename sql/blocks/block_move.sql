-- block_move(p_block_id, p_before, p_actor) -> nothing
--
-- Moves a queued block before another queued one of its series, or to the end of the queue (p_before null).
-- Raises GL008 not-found, GL014 state-conflict unless both are queued. Needs scope load (GL003, GL004:
-- gapless.require_scope). Writes one audit row. Locks series, then counter, so that the queue cannot change
-- during a rollover.
create or replace function gapless.block_move(p_block_id integer, p_before integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block  gapless.block;
    v_before gapless.block;
begin
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    p_actor := gapless.require_scope('load', gapless.series_name(v_block.series_id), p_actor);
    if v_block.block_id is null then
        raise exception 'there is no block %', p_block_id using errcode = 'GL008';
    end if;
    perform from gapless.series s where s.series_id = v_block.series_id for no key update;
    perform from gapless.counter c where c.series_id = v_block.series_id for update;
    select * into v_block from gapless.block b where b.block_id = p_block_id;
    if v_block.state <> 'queued' then
        raise exception 'block % is %, only a queued block can be moved', p_block_id, v_block.state
            using errcode = 'GL014';
    end if;
    if p_before is not null then
        select * into v_before
        from gapless.block b
        where b.block_id = p_before and b.series_id = v_block.series_id;
        if not found then
            raise exception 'there is no block % in the series of block %', p_before, p_block_id
                using errcode = 'GL008';
        end if;
        if v_before.state <> 'queued' then
            raise exception 'block % is %, nothing can be queued before it', p_before, v_before.state
                using errcode = 'GL014';
        end if;
    end if;

    -- The queued blocks take the same positions as before, in their new order.
    set constraints gapless.position_is_taken_once deferred;
    with queue as (
        select b.block_id,
               row_number() over (order by b.position) as place,
               row_number() over (order by
                   case
                       when b.block_id <> p_block_id then b.position
                       when p_before is null then 2147483647
                       else v_before.position
                       end,
                   b.block_id <> p_block_id) as new_place,
               b.position
        from gapless.block b
        where b.series_id = v_block.series_id and b.state = 'queued'
    )
    update gapless.block b
    set position = old.position
    from queue new
    join queue old on old.place = new.new_place
    where b.series_id = v_block.series_id and b.block_id = new.block_id and b.position <> old.position;

    perform gapless.audit(
        p_actor => p_actor, p_action => 'block.move', p_subject => p_block_id::text,
        p_before => jsonb_build_object('position', v_block.position),
        p_after => jsonb_build_object(
            'position', (select b.position from gapless.block b where b.block_id = p_block_id)
        )
    );
end;
$$;
