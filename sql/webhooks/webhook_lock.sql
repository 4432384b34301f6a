-- webhook_lock(p_webhook_ids) -> those whose results can be recorded now: locked until the transaction ends,
-- or deleted
--
-- For the session that delivers (gapless.webhook_sends), before gapless.webhook_report; raises GL014 for
-- others. Waits for nobody: an open transaction that has locked one webhook does not hold up the others.
create or replace function gapless.webhook_lock(p_webhook_ids integer[]) returns setof integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.require_webhook_sender();
    return query
        select w.webhook_id from gapless.webhook w
        where w.webhook_id = any (p_webhook_ids)
        for update skip locked;
    return query
        select id from unnest(p_webhook_ids) as id
        where not exists (select from gapless.webhook w where w.webhook_id = id);
end;
$$;
