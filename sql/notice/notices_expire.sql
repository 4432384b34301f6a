-- notices_expire(p_age, p_limit) -> how many notices went
--
-- Deletes numbered notices older than p_age, oldest first, at most p_limit of them. Repeat it while it
-- deletes that many. Who reads from before them begins anew with the oldest that is there
-- (gapless.notice_bounds); what waited for a dead webhook all that time is not delivered any more. Deletes
-- nothing on a standby, nor while the clock is doubted. Raises GL017 out-of-range for less than 90 days,
-- which readers count on, but not for the owner. Locks the webhooks whose lanes wait for one of them.
create or replace function gapless.notices_expire(
    p_age interval default '90 days', p_limit integer default 1000
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_gone bigint;
    v_lane record;
begin
    if current_setting('transaction_read_only') = 'on' or gapless.clock_doubted() then
        return 0;
    end if;
    if (p_age >= interval '90 days') is not true and not gapless.acts_as_owner() then
        raise exception 'notices are kept for 90 days, not %', p_age using errcode = 'GL017';
    end if;
    -- Not by at, for which issuing would have to pay an index: from the first on, up to one that is to stay.
    delete from gapless.notice n
    where n.seq < (
        select coalesce(min(o.seq) filter (where o.at >= now() - p_age), max(o.seq) + 1)
        from (
            select o.seq, o.at from gapless.notice o where o.seq is not null order by o.seq limit p_limit
        ) o
    );
    get diagnostics v_gone = row_count;
    for v_lane in
        select q.webhook_id, q.lane, q.next_seq
        from gapless.webhook_queue q
        join gapless.webhook w using (webhook_id)
        where not exists (select from gapless.notice n where n.seq = q.next_seq)
        order by q.webhook_id, q.lane
        for update of w
    loop
        perform gapless.webhook_step(v_lane.webhook_id, v_lane.lane, v_lane.next_seq);
    end loop;
    return v_gone;
end;
$$;
