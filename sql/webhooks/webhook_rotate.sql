-- webhook_rotate(p_webhook_id, p_actor) -> the new secret, which is never shown again
--
-- The previous secret also signs for 24 hours, so that the receiver can be changed meanwhile; older ones end
-- at once. Raises GL008 not-found. Needs scope admin (GL003, GL004: gapless.require_scope,
-- gapless.webhook_to_change). Writes one audit row.
create or replace function gapless.webhook_rotate(p_webhook_id integer, p_actor text) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_secret bytea := gapless.webhook_secret();
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.webhook_to_change(p_webhook_id);
    update gapless.webhook w
    set secret = v_secret, old_secret = w.secret, old_secret_until = now() + interval '24 hours'
    where w.webhook_id = p_webhook_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.rotate', p_subject => p_webhook_id::text, p_before => null,
        p_after => null
    );
    return gapless.webhook_secret_text(v_secret);
end;
$$;
