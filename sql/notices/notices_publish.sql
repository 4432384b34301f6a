-- notices_publish(p_limit) -> how many notices were numbered, at most p_limit
--
-- Gives notices whose transactions have committed the next numbers, and wakes who listens to
-- gapless_notice with the last one. Every instance calls it each second, again at once while it numbers
-- p_limit: one works, others return 0. So the numbers are those of COMMITs in their order: a notice whose
-- transaction takes long gets a later number than those that committed meanwhile, and whoever reads by seq
-- misses none. While the database is fenced only fence.raised is numbered; others wait for the next epoch.
-- A fence may mean that the database was put back to an earlier moment: from there on seq begins at the next
-- million, so that readers who are ahead of such a database miss nothing and nothing comes under an old seq.
-- Numbers nothing on a standby. Raises nothing of its own. To be called at READ COMMITTED: issuing is
-- serializable, and must not meet these reads. Locks the row of gapless.notice_counter.
create or replace function gapless.notices_publish(p_limit integer default 1000) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_fenced boolean;
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
    if exists (select from gapless.notice n where n.seq is null and n.kind = 'fence.raised') then
        v_last := (v_last / 1000000 + 1) * 1000000;
    end if;
    with due as (
        select n.id, v_last + row_number() over (order by n.place) as seq
        from gapless.notice n
        where n.seq is null and (not v_fenced or n.kind = 'fence.raised')
        order by n.place
        limit p_limit
    )
    update gapless.notice n
    set seq = d.seq, data = gapless.notice_data(n), time_zone = gapless.time_zone()
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
