-- webhook_deal() -> nothing; puts notices that were numbered since into the lanes of the webhooks that
-- want them
--
-- Up to 1,000 notices a webhook and call. A lane has one row, for the first notice it has to deliver. For
-- gapless.webhook_due: the one sender deals, and moves lanes on, so neither misses what the other does.
create or replace function gapless.webhook_deal() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last bigint;
    v_here text := gapless.environment_name();
begin
    select c.last_seq into v_last from gapless.notice_counter c;
    if not exists (
        select
        from gapless.webhook w
        where w.seen_seq < v_last and w.dead_at is null and w.environment is not distinct from v_here
    ) then
        return;
    end if;
    with behind as materialized (
        select w.webhook_id, w.kinds, w.series, w.seen_seq,
               -- The 1,000th that is there: where a fence was raised, a million of seq are of no notice.
               least(v_last, (
                   select n.seq from gapless.notice n where n.seq > w.seen_seq order by n.seq
                   offset 999 limit 1
               )) as until
        from gapless.webhook w
        where w.seen_seq < v_last and w.dead_at is null and w.environment is not distinct from v_here
        order by w.webhook_id
        for update
    ), dealt as (
        insert into gapless.webhook_queue (webhook_id, lane, next_seq)
        select b.webhook_id, gapless.webhook_lane(n.kind, n.series_id), min(n.seq)
        from behind b
        join gapless.notice n on n.seq > b.seen_seq and n.seq <= b.until
        left join gapless.series s using (series_id)
        where gapless.webhook_wants(b.kinds, b.series, n.kind, s.name)
          and n.environment is not distinct from v_here
        group by 1, 2
        on conflict (webhook_id, lane) do nothing -- it has an earlier one
    )
    update gapless.webhook w set seen_seq = b.until from behind b where w.webhook_id = b.webhook_id;
end;
$$;
