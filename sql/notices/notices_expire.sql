-- notices_expire(p_age, p_limit) -> how many notices it deleted
--
-- Deletes numbered notices older than p_age, oldest first, at most p_limit of them. Repeat it while it
-- deletes that many. A reader from before them starts again at the oldest left (gapless.notice_bounds); a
-- webhook that wanted one skips them, and its next delivery says so (missed); if it was failing, that is its
-- next attempt. Deletes nothing on a standby, nor while the clock is in doubt. Raises GL017 out-of-range for
-- less than 90 days, on which readers rely, except for the owner. Locks webhooks with cursors before them.
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
    v_gone  bigint;
    v_until bigint;
begin
    if current_setting('transaction_read_only') = 'on' or gapless.clock_doubted() then
        return 0;
    end if;
    if (p_age >= interval '90 days') is not true and not gapless.acts_as_owner() then
        raise exception 'notices are kept for 90 days, not %', p_age using errcode = 'GL017';
    end if;
    -- Not by at, whose index would cost issuing: from the first on, up to one that must stay. A moment after
    -- now, from a clock that has been put right since, tells nothing.
    select max(o.seq) into v_until
    from (
        select n.seq, n.at, bool_or(n.at between now() - p_age and now()) over (order by n.seq) as stays
        from (
            select n.seq, n.at from gapless.notice n where n.seq is not null order by n.seq limit p_limit
        ) n
    ) o
    where o.at < now() - p_age and not o.stays;
    perform from gapless.webhook w where w.seq < v_until order by w.webhook_id for update;
    update gapless.webhook w
    set missed = true
    where w.seq < v_until and exists (select from gapless.webhook_wants(w, w.seq + 1, v_until));
    update gapless.webhook w set seq = v_until where w.seq < v_until;
    delete from gapless.notice n where n.seq <= v_until;
    get diagnostics v_gone = row_count;
    return v_gone;
end;
$$;
