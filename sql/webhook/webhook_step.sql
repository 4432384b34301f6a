-- webhook_step(p_webhook_id, p_lane, p_from) -> nothing; the lane goes on at its first notice from p_from
-- on, at once and as if nothing had failed, or ends
create or replace function gapless.webhook_step(p_webhook_id integer, p_lane integer, p_from bigint)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_next bigint;
begin
    select gapless.webhook_next(w, p_lane, p_from) into v_next
    from gapless.webhook w
    where w.webhook_id = p_webhook_id;
    if v_next is null then
        delete from gapless.webhook_queue q where q.webhook_id = p_webhook_id and q.lane = p_lane;
    else
        update gapless.webhook_queue q
        set next_seq = v_next, attempts = 0, first_failed_at = null, last_attempt_at = null,
            next_attempt_at = now(), last_error = null
        where q.webhook_id = p_webhook_id and q.lane = p_lane;
    end if;
end;
$$;
