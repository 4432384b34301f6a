-- webhook_to_change(p_webhook_id) -> the webhook, locked
--
-- Raises GL008 not-found, also for a webhook that is not only for series of the token, so that a token does
-- not learn of others (gapless.require_reach). Call gapless.require_scope first.
create or replace function gapless.webhook_to_change(p_webhook_id integer) returns gapless.webhook
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_webhook gapless.webhook;
    v_missing text := format('there is no webhook %s; list them: gapless webhook list', p_webhook_id);
begin
    select * into v_webhook from gapless.webhook w where w.webhook_id = p_webhook_id for update;
    if not found then
        raise exception '%', v_missing using errcode = 'GL008';
    end if;
    perform gapless.require_reach(null, v_webhook.series, v_missing);
    return v_webhook;
end;
$$;
