-- webhook_retry(p_webhook_id, p_after, p_actor) -> nothing
--
-- Delivers what waits now, from the cursor on or, with p_after, from after that seq: notices before it are
-- given up. A dead webhook comes to life; one of another environment adopts the present one, and notices of
-- the other are left out. Repeatable: a cursor that is further on stays. Raises GL008 not-found, GL017 for a
-- p_after beyond the last notice. Needs scope admin (GL003, GL004: gapless.require_scope,
-- gapless.webhook_to_change). Writes one audit row.
create or replace function gapless.webhook_retry(p_webhook_id integer, p_after bigint, p_actor text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_webhook gapless.webhook;
    v_last    bigint;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    v_webhook := gapless.webhook_to_change(p_webhook_id);
    select c.last_seq into v_last from gapless.notice_counter c;
    if p_after > v_last then
        raise exception 'the last notice is %, so nothing can be skipped up to %', v_last, p_after
            using errcode = 'GL017';
    end if;
    update gapless.webhook w
    set dead_at = null, environment = gapless.environment_name(), seq = greatest(w.seq, p_after),
        attempts = 0, first_failed_at = null, next_attempt_at = now(), last_error = null,
        missed = w.missed and w.environment is not distinct from gapless.environment_name()
    where w.webhook_id = p_webhook_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.retry', p_subject => p_webhook_id::text,
        p_before => jsonb_build_object(
            'dead_at', v_webhook.dead_at, 'environment', v_webhook.environment,
            'after', v_webhook.seq::text),
        p_after => jsonb_build_object(
            'dead_at', null, 'environment', gapless.environment_name(),
            'after', greatest(v_webhook.seq, p_after)::text)
    );
end;
$$;
