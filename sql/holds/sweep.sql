-- sweep(p_limit) -> how many holds expired and how many blocks closed
--
-- Ends what has expired by the database's clock: holds past expires_at (each exactly once, whoever sweeps:
-- their series' rows are locked, and an expired hold holds nothing), open or queued blocks past valid_until,
-- and free numbers of such a block. At most p_limit holds and 100 blocks a call, those that are overdue
-- longest first; repeat it while it ends that many. Every instance may call it at any time; it skips a series
-- whose counter or tally is locked, because to wait for one series would hold up those it has locked before.
-- Ends nothing while the clock is in doubt (gapless.clock_look), a move is prepared, or the database is
-- fenced: what left of a block before a restore is recorded in it (gapless.epoch_fill), even if it expired
-- since. Also notes the data directory once it may be read (gapless.place_note), and fences the series that
-- somebody held when a fence was raised. Raises nothing of its own. Call it at READ COMMITTED: above, every
-- batch of a series that is swept fails it with 40001. What it reads of a series, it reads behind the lock of
-- its counter, or of its tally.
create or replace function gapless.sweep(p_limit integer default 200, out holds integer, out blocks integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off -- estimates grow with the tables: after years, compiling would take longer than the query
as $$
declare
    v_id    integer;
    v_hold  gapless.hold;
    v_block integer;
begin
    perform gapless.place_note();
    update gapless.counter c
    set fenced = true
    where c.series_id in (
        select o.series_id
        from gapless.counter o
        where not o.fenced and exists (
            select from gapless.fence f where f.epoch = (select max(e.epoch) from gapless.epoch e)
        )
        for update skip locked
    );
    holds := 0;
    blocks := 0;
    if gapless.clock_doubted() or (select s.trouble is not null from gapless.epoch_state() s) then
        return;
    end if;
    for v_id in
        select h.series_id
        from gapless.hold h
        where not isempty(h.held) and h.expires_at <= now()
        group by h.series_id
        order by min(h.expires_at)
    loop
        exit when holds >= p_limit;
        perform from gapless.counter c
        join gapless.tally t using (series_id)
        where c.series_id = v_id and not c.fenced
        for update of c, t skip locked;
        continue when not found;
        exit when gapless.is_moving();
        for v_hold in
            select * from gapless.hold h
            where h.series_id = v_id and not isempty(h.held) and h.expires_at <= now()
            order by h.expires_at
            limit p_limit - holds
            for update
        loop
            update gapless.hold h set held = '{}', expired = h.expired + h.held
            where h.series_id = v_hold.series_id and h.turn = v_hold.turn and h.ordinal = v_hold.ordinal;
            perform gapless.record_event(
                p_series_id => v_hold.series_id, p_kind => 'expired', p_numbers => v_hold.held,
                p_actor => 'gapless', p_reason => null
            );
            perform gapless.give_back(
                p_series_id => v_hold.series_id, p_numbers => v_hold.held,
                p_policy => (select s.on_expiry from gapless.series s where s.series_id = v_hold.series_id),
                p_reason => 'hold expired', p_actor => 'gapless');
            holds := holds + 1;
        end loop;
    end loop;

    -- An open block that is used up stays as it is, for years if nothing follows it: nothing is left to void.
    for v_id in
        select b.series_id
        from gapless.block b
        where b.valid_until < now() and b.state in ('queued', 'open')
        group by b.series_id
        order by min(b.valid_until)
    loop
        exit when blocks >= 100;
        perform from gapless.counter c
        join gapless.tally t using (series_id)
        where c.series_id = v_id and not c.fenced
          and exists (
              select
              from gapless.block b
              where b.series_id = c.series_id and b.valid_until < now() and b.state in ('queued', 'open')
                and (b.block_id is distinct from c.block_id or c.next_serial <= c.last_serial)
          )
        for update of c, t skip locked;
        continue when not found;
        exit when gapless.is_moving();
        for v_block in
            select b.block_id
            from gapless.block b
            join gapless.counter c using (series_id)
            where b.series_id = v_id and b.valid_until < now() and b.state in ('queued', 'open')
              and (b.block_id is distinct from c.block_id or c.next_serial <= c.last_serial)
            order by b.position
            limit 100 - blocks
        loop
            perform gapless.block_end(v_block, 'expired', 'gapless');
            blocks := blocks + 1;
        end loop;
    end loop;
    for v_id in
        select c.series_id
        from gapless.counter c
        where c.waiting > 0 and exists (select from gapless.expired_blocks_waiting(c.series_id, now()))
    loop
        perform from gapless.counter c
        join gapless.tally t using (series_id)
        where c.series_id = v_id and not c.fenced
        for update of c, t skip locked;
        continue when not found;
        exit when gapless.is_moving();
        perform gapless.void_free_of_expired_blocks(v_id, now());
    end loop;
end;
$$;
