-- webhook_page(p_webhook_id, p_after, p_limit) -> webhooks, oldest first, never with a secret
--
-- The one with that id, and those with ids above p_after (each null: any), at most p_limit. A token for some
-- series sees only webhooks for no other series. state: dead after 72 hours of failures, or if the database's
-- environment differs from that when the webhook was created or retried; failing while a delivery is to be
-- retried; else active. after: its cursor. pending: how many of the next 10,000 notices it wants (of its
-- share of 200,000, if the page has more than 20), which keeps this cheap; not 0 while something waits.
-- next_attempt_at: null if nothing waits, or the webhook is dead. old_secret_until: null if only one secret
-- signs. Needs scope admin (GL003, GL004: gapless.require_scope). Takes no lock.
create or replace function gapless.webhook_page(
    p_webhook_id integer default null, p_after integer default null, p_limit integer default 100
)
returns table (
    webhook_id integer, url text, kinds text[], series text[], state text, after bigint, pending bigint,
    last_error text, next_attempt_at timestamptz, created_at timestamptz, created_by text, environment text,
    last_delivered_at timestamptz, old_secret_until timestamptz, tested_at timestamptz, test_status integer
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_series text[];
    v_here   text := gapless.environment_name();
    v_last   bigint := (select c.last_seq from gapless.notice_counter c);
begin
    perform gapless.require_scope('admin', null, session_user::text);
    v_series := (gapless.acting_token()).series;
    return query
        with page as materialized (
            select w.webhook_id
            from gapless.webhook w
            where (v_series is null or w.series <@ v_series)
              and (p_webhook_id is null or w.webhook_id = p_webhook_id)
              and (p_after is null or w.webhook_id > p_after)
            order by w.webhook_id
            limit p_limit
        )
        select w.webhook_id, w.url, w.kinds, w.series,
               case when d.dead then 'dead' when w.attempts > 0 then 'failing' else 'active' end,
               w.seq, q.pending,
               case
               when w.environment is distinct from v_here then format(
                   'made in the environment %s, this database is %s; retrying adopts it',
                   coalesce(w.environment, 'without a name'), coalesce(v_here, 'without a name'))
               else w.last_error
               end,
               case when q.pending > 0 and not d.dead then w.next_attempt_at end, w.created_at, w.created_by,
               w.environment, w.last_delivered_at,
               case when w.old_secret_until > now() then w.old_secret_until end, w.tested_at, w.test_status
        from page
        join gapless.webhook w using (webhook_id)
        cross join lateral (select w.dead_at is not null or w.environment is distinct from v_here) d (dead)
        cross join lateral (
            select count(*) as pending
            from gapless.webhook_wants(w, w.seq + 1, coalesce((
                select n.seq from gapless.notice n where n.seq > w.seq order by n.seq
                offset (select least(10000, 200000 / count(*)) - 1 from page) limit 1
            ), v_last))
        ) q
        order by w.webhook_id;
end;
$$;
