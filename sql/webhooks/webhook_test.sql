-- webhook_test(p_webhook_id, p_actor) -> the id under which a test is delivered, once, even if the webhook is
-- dead
--
-- Replaces a test that was not sent yet. No test is sent while the database is fenced, or by a webhook of
-- another environment. Raises GL008 not-found. Needs scope admin (GL003, GL004: gapless.require_scope,
-- gapless.webhook_to_change). Writes one audit row.
create or replace function gapless.webhook_test(p_webhook_id integer, p_actor text) returns uuid
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_id uuid := gen_random_uuid();
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.webhook_to_change(p_webhook_id);
    update gapless.webhook w set test_id = v_id where w.webhook_id = p_webhook_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.test', p_subject => p_webhook_id::text, p_before => null,
        p_after => jsonb_build_object('id', v_id)
    );
    return v_id;
end;
$$;
