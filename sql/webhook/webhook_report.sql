-- webhook_report(p_term, p_webhook_ids, p_series_ids, p_ids, p_errors) -> whether this session is the sender
-- of the term (gapless.webhook_sends); if not, nothing is noted
--
-- Element k of the arrays: what became of the delivery of that id in that lane. An error of null:
-- delivered, the lane goes on; other lanes of the webhook that wait after a failure are tried at once, but
-- none within a minute of its last attempt. Else: it is tried again after gapless.webhook_delay, the last
-- time 72 hours after the first failure; when that fails the webhook is dead. A test is tried once. What
-- is not the next of its lane any more is passed over. Errors are cut at 500 characters. To be called at
-- READ COMMITTED. Locks the row of gapless.webhook_sender: who takes over comes before or after.
create or replace function gapless.webhook_report(
    p_term bigint, p_webhook_ids integer[], p_series_ids integer[], p_ids uuid[], p_errors text[]
)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_done   record;
    v_next   bigint;
begin
    perform set_config('synchronous_commit', 'off', true); -- what is forgotten is delivered twice
    update gapless.webhook_sender s set seen_at = clock_timestamp()
    where s.term = p_term and gapless.webhook_sends(p_term);
    if not found then
        return false;
    end if;
    for v_done in
        select d.webhook_id, d.lane, d.id, left(d.error, 500) as error
        from unnest(p_webhook_ids, p_series_ids, p_ids, p_errors) as d (webhook_id, lane, id, error)
        order by d.webhook_id, d.lane
    loop
        if v_done.lane = -1 then
            update gapless.webhook w
            set test_id = null, last_error = v_done.error,
                last_delivered_at = case when v_done.error is null then now() else w.last_delivered_at end
            where w.webhook_id = v_done.webhook_id and w.test_id = v_done.id;
            continue;
        end if;
        -- The webhook first, as every act on it.
        perform from gapless.webhook w where w.webhook_id = v_done.webhook_id for update;
        select q.next_seq into v_next
        from gapless.webhook_queue q
        join gapless.notice n on n.seq = q.next_seq
        where q.webhook_id = v_done.webhook_id and q.lane = v_done.lane and n.id = v_done.id;
        if not found then
            continue;
        elsif v_done.error is null then
            perform gapless.webhook_step(v_done.webhook_id, v_done.lane, v_next + 1);
            update gapless.webhook_queue q set next_attempt_at = now()
            where q.webhook_id = v_done.webhook_id and q.attempts > 0 and q.next_attempt_at > now()
              and q.last_attempt_at < now() - interval '1 minute';
            update gapless.webhook w set last_delivered_at = now(), last_error = null
            where w.webhook_id = v_done.webhook_id;
        else
            perform gapless.webhook_fail(v_done.webhook_id, v_done.lane, v_done.error);
        end if;
    end loop;
    return true;
end;
$$;
