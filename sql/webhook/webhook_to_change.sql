-- webhook_to_change(p_webhook_id) -> the webhook, locked
--
-- Raises GL008 not-found, also for one that is not for series of the token's own alone: which others there
-- are is nobody's business. gapless.require_scope comes first.
create or replace function gapless.webhook_to_change(p_webhook_id integer) returns gapless.webhook
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_webhook gapless.webhook;
    v_series  text[];
begin
    select * into v_webhook from gapless.webhook w where w.webhook_id = p_webhook_id for update;
    v_series := (gapless.acting_token()).series;
    if not found or (v_series is null or v_webhook.series <@ v_series) is not true then
        raise exception 'there is no webhook %', p_webhook_id using errcode = 'GL008';
    end if;
    return v_webhook;
end;
$$;
