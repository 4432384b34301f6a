-- webhook_pass_over(p_busy) -> nothing; advances the cursors of webhooks, except busy ones, over notices that
-- they do not want, up to the next one that they want
--
-- Reads 1,000 notices per call, so that none takes long. Moves a cursor only from where it was read; those
-- locked by somebody else are left to the next call. For gapless.webhook_due, READ COMMITTED.
create or replace function gapless.webhook_pass_over(p_busy integer[]) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
    v_here text := gapless.environment_name();
    v_last bigint;
begin
    select c.last_seq into v_last from gapless.notice_counter c;
    with looked as materialized (
        select w.webhook_id, w.seq, coalesce(wanted.seq - 1, least(first.seq + 999, v_last)) as until
        from gapless.webhook w
        -- After a raised fence, up to a million seq values have no notice.
        cross join lateral (select min(n.seq) as seq from gapless.notice n where n.seq > w.seq) first
        cross join lateral (
            select min(seq) as seq
            from (
                select x.seq
                from gapless.webhook_wants(w, first.seq, least(first.seq + 999, v_last)) as x (seq)
                order by x.seq
                limit 1
            ) x
        ) wanted
        where w.seq < v_last and w.dead_at is null
          and w.environment is not distinct from v_here and w.webhook_id <> all (p_busy)
    ), free as materialized (
        select w.webhook_id, l.until
        from gapless.webhook w
        join looked l using (webhook_id)
        where l.until > w.seq and w.seq = l.seq
        for update of w skip locked
    )
    update gapless.webhook w set seq = f.until from free f where w.webhook_id = f.webhook_id;
end;
$$;
