-- notices_publish(p_limit) -> how many notices were numbered, at most p_limit
--
-- Gives the next numbers to notices whose transactions have committed, and notifies listeners on
-- gapless_notice of the last one. Every instance calls it each second, and again at once while it numbers
-- p_limit: one works, others return 0. So numbers follow the order of COMMITs: a notice of a long transaction
-- gets a higher number than those committed meanwhile, and readers by seq miss none. While the database is
-- fenced only fence.raised is numbered; others wait for the next epoch. A fence may mean that the database
-- was restored to an earlier state: it is numbered before all else, in a call of its own, and seq then
-- continues at the next million, so that readers that are ahead of the database miss nothing and no seq is
-- used twice (unless it is then restored once more, to before that fence: a reader that missed the time
-- between reads on behind what is new). Numbers nothing on a standby. Raises nothing of its own. Call it at
-- READ COMMITTED: issuing is serializable, and must not conflict with these reads. Locks the row of
-- gapless.notice_counter.
create or replace function gapless.notices_publish(p_limit integer default 1000) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_zone   text := gapless.time_zone();
    v_fenced boolean;
    v_raised boolean;
    v_last   bigint;
    v_count  bigint;
begin
    if current_setting('transaction_read_only') = 'on'
       or not exists (select from gapless.notice n where n.seq is null)
    then
        return 0;
    end if;
    select c.last_seq into v_last from gapless.notice_counter c for update skip locked;
    if not found then
        return 0;
    end if;
    v_fenced := (select s.trouble from gapless.epoch_state() s) is not null;
    v_raised := exists (select from gapless.notice n where n.seq is null and n.kind = 'fence.raised');
    if v_raised then
        v_last := (v_last / 1000000 + 1) * 1000000;
    end if;
    with due as (
        select n.id, v_last + row_number() over (order by n.place) as seq
        from gapless.notice n
        where n.seq is null and (n.kind = 'fence.raised') = v_raised and (v_raised or not v_fenced)
        order by n.place
        limit p_limit
    )
    update gapless.notice n
    set seq = d.seq, data = gapless.notice_data(n), time_zone = v_zone
    from due d
    where n.id = d.id;
    get diagnostics v_count = row_count;
    if v_count > 0 then
        update gapless.notice_counter c set last_seq = v_last + v_count;
        perform pg_notify('gapless_notice', (v_last + v_count)::text);
    end if;
    return v_count;
end;
$$;
