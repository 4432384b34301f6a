-- webhook_wants(p_webhook, p_first, p_last) -> the seq of each notice from p_first to p_last that it wants;
-- inlined
--
-- Those of its kinds, its series and its environment.
create or replace function gapless.webhook_wants(p_webhook gapless.webhook, p_first bigint, p_last bigint)
returns setof bigint
language sql
stable
as $$
    select n.seq
    from gapless.notice n
    where n.seq between p_first and p_last
      and (p_webhook.kinds is null or n.kind = any (p_webhook.kinds))
      and (p_webhook.series is null or n.series_id = any (array(
              select s.series_id from gapless.series s where s.name = any (p_webhook.series))))
      and n.environment is not distinct from p_webhook.environment;
$$;
