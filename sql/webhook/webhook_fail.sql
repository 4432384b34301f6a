-- webhook_fail(p_webhook_id, p_lane, p_error) -> nothing; notes a failed attempt, and after 72 hours of
-- them that the webhook is dead
--
-- Not before the eighth attempt: the service may have been off, or the database fenced, for most of that
-- time.
create or replace function gapless.webhook_fail(p_webhook_id integer, p_lane integer, p_error text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_until    timestamptz;
    v_attempts integer;
begin
    update gapless.webhook_queue q
    set attempts = q.attempts + 1, first_failed_at = coalesce(q.first_failed_at, now()),
        last_attempt_at = now(), last_error = p_error,
        next_attempt_at = case
            when q.first_failed_at + gapless.webhook_patience() <= now()
            then now() + gapless.webhook_delay(q.attempts + 1)
            else least(
                now() + gapless.webhook_delay(q.attempts + 1),
                coalesce(q.first_failed_at, now()) + gapless.webhook_patience()
            )
        end
    where q.webhook_id = p_webhook_id and q.lane = p_lane
    returning q.first_failed_at + gapless.webhook_patience(), q.attempts into v_until, v_attempts;
    if v_until <= now() and v_attempts >= 8 then
        update gapless.webhook w set dead_at = coalesce(w.dead_at, now()) where w.webhook_id = p_webhook_id;
    end if;
end;
$$;
