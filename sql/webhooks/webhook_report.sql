-- webhook_report(p_webhook_ids, p_ids, p_attempts, p_errors, p_pauses, p_gone, p_statuses) -> nothing
--
-- For the session that delivers (gapless.webhook_sends); raises GL014 for others. Element k of the arrays is
-- the outcome of attempt p_attempts[k] to deliver notice or test p_ids[k] to that webhook. Error null:
-- delivered, the cursor moves to it. Otherwise the delivery is retried after 5 s, 30 s, 2 min, 10 min, 30
-- min, 1 h, then every 3 h, though not before the pause that the receiver asked for, in seconds, of which at
-- most an hour counts. The last attempt is 72 hours after the first failure: if it fails, the webhook is
-- dead; but not before the eighth attempt, as the service may have been off most of that time. Gone: the
-- receiver wants nothing any more, so the webhook is dead at once. A test is tried once, and its status is
-- kept (0: no answer). Ignores results for another cursor position or attempt: somebody else has changed it
-- meanwhile. Truncates errors to 500 characters. Call it at READ COMMITTED.
create or replace function gapless.webhook_report(
    p_webhook_ids integer[], p_ids uuid[], p_attempts integer[], p_errors text[], p_pauses integer[],
    p_gone boolean[], p_statuses integer[] default null
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_patience constant interval := '72 hours';
    v_delays   constant interval[] := array['5 s', '30 s', '2 min', '10 min', '30 min', '1 h'];
begin
    perform set_config('synchronous_commit', 'off', true); -- what a crash forgets is delivered twice
    perform gapless.require_webhook_sender();
    perform from gapless.webhook w where w.webhook_id = any (p_webhook_ids) order by w.webhook_id for update;
    update gapless.webhook w
    set test_id = null, tested_at = now(), test_status = nullif(r.status, 0),
        last_error = case
            when r.error is null and w.attempts > 0 then w.last_error
            else left(r.error, 500)
        end,
        last_delivered_at = case when r.error is null then now() else w.last_delivered_at end
    from unnest(p_webhook_ids, p_ids, p_errors, p_statuses) as r (webhook_id, id, error, status)
    where w.webhook_id = r.webhook_id and w.test_id = r.id;
    update gapless.webhook w
    set seq = n.seq, attempts = 0, first_failed_at = null, next_attempt_at = now(), last_error = null,
        last_delivered_at = now(), missed = false
    from unnest(p_webhook_ids, p_ids, p_attempts, p_errors) as r (webhook_id, id, attempt, error)
    join gapless.notice n using (id)
    where w.webhook_id = r.webhook_id and w.seq = n.seq - 1 and w.attempts = r.attempt - 1
      and w.environment is not distinct from n.environment and r.error is null;
    with failed as (
        select w.webhook_id, r.gone, left(r.error, 500) as error, w.attempts + 1 as attempts,
               least(w.first_failed_at, now()) as first_failed_at,
               now() + coalesce(v_delays[w.attempts + 1], '3 h') as next,
               least(w.first_failed_at, now()) + v_patience as last,
               now() + make_interval(secs => least(coalesce(r.pause, 0), 3600)) as asked_for
        from unnest(p_webhook_ids, p_ids, p_attempts, p_errors, p_pauses, p_gone)
             as r (webhook_id, id, attempt, error, pause, gone)
        join gapless.notice n using (id)
        join gapless.webhook w
            on w.webhook_id = r.webhook_id and w.seq = n.seq - 1 and w.attempts = r.attempt - 1
        where r.error is not null
    )
    update gapless.webhook w
    set attempts = f.attempts, first_failed_at = f.first_failed_at, last_error = f.error,
        next_attempt_at = greatest(
            case when f.last <= now() then f.next else least(f.next, f.last) end, f.asked_for),
        dead_at = case
            when f.gone or f.last <= now() and f.attempts >= 8 then coalesce(w.dead_at, now())
            else w.dead_at
        end
    from failed f
    where w.webhook_id = f.webhook_id;
end;
$$;
