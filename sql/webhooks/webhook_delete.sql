-- webhook_delete(p_webhook_id, p_actor) -> nothing
--
-- Deletes it with its secrets, so that nothing more is delivered there; a delivery under way may finish.
-- Raises GL008 not-found, also if it was deleted before. Needs scope admin (GL003, GL004:
-- gapless.require_scope, gapless.webhook_to_change). Writes one audit row.
create or replace function gapless.webhook_delete(p_webhook_id integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_webhook gapless.webhook;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    v_webhook := gapless.webhook_to_change(p_webhook_id);
    delete from gapless.webhook w where w.webhook_id = p_webhook_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.delete', p_subject => p_webhook_id::text,
        p_before => jsonb_build_object('host', gapless.webhook_host(v_webhook.url)), p_after => null
    );
end;
$$;
