-- webhook_retry(p_webhook_id, p_actor) -> nothing
--
-- What waits is delivered now, each lane from where it is, and a dead webhook is none any more; one of
-- another environment belongs to this one from now on. Notices of another environment are left out.
-- Repeatable. Raises GL008 not-found. Needs scope admin (GL003, GL004: gapless.require_scope,
-- gapless.webhook_to_change). Writes one audit row.
create or replace function gapless.webhook_retry(p_webhook_id integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_webhook gapless.webhook;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    v_webhook := gapless.webhook_to_change(p_webhook_id);
    update gapless.webhook w
    set dead_at = null, environment = gapless.environment_name()
    where w.webhook_id = p_webhook_id;
    perform gapless.webhook_step(q.webhook_id, q.lane, q.next_seq)
    from gapless.webhook_queue q
    where q.webhook_id = p_webhook_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.retry', p_subject => p_webhook_id::text,
        p_before => jsonb_build_object(
            'dead_at', v_webhook.dead_at, 'environment', v_webhook.environment),
        p_after => jsonb_build_object('dead_at', null, 'environment', gapless.environment_name())
    );
end;
$$;
