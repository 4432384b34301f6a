-- webhook_pending(p_webhook) -> how many notices of its environment wait to be delivered there; 10,000 means
-- as many or more, so that asking stays cheap when a receiver has been down for weeks
create or replace function gapless.webhook_pending(p_webhook gapless.webhook) returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
begin
    return (
        select count(*)
        from (
            select
            from gapless.notice n
            left join gapless.webhook_queue q
                on q.webhook_id = p_webhook.webhook_id and q.lane = gapless.webhook_lane(n.kind, n.series_id)
            left join gapless.series s on s.series_id = n.series_id
            where n.seq >= (
                    select coalesce(min(o.next_seq), p_webhook.seen_seq + 1)
                    from gapless.webhook_queue o
                    where o.webhook_id = p_webhook.webhook_id
                )
              and (n.seq > p_webhook.seen_seq or n.seq >= q.next_seq)
              and gapless.webhook_wants(p_webhook.kinds, p_webhook.series, n.kind, s.name)
              and n.environment is not distinct from p_webhook.environment
            limit 10000
        ) pending
    );
end;
$$;
