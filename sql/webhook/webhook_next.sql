-- webhook_next(p_webhook, p_lane, p_from) -> the seq, p_from or later, that a lane delivers next; null:
-- none
--
-- Of the notices that were dealt to the lanes, those of the webhook's kinds, series and environment.
create or replace function gapless.webhook_next(p_webhook gapless.webhook, p_lane integer, p_from bigint)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_lane > 0 then
        return (
            select min(n.seq)
            from gapless.notice n
            where n.series_id = p_lane and n.seq between p_from and p_webhook.seen_seq
              and (p_webhook.kinds is null or n.kind = any (p_webhook.kinds))
              and n.environment is not distinct from p_webhook.environment
        );
    end if;
    return (
        select min(n.seq)
        from gapless.notice n
        where n.series_id is null and n.seq between p_from and p_webhook.seen_seq
          and gapless.webhook_lane(n.kind, null) = p_lane
          and (p_webhook.kinds is null or n.kind = any (p_webhook.kinds))
          and n.environment is not distinct from p_webhook.environment
    );
end;
$$;
