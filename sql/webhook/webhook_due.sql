-- webhook_due(p_term, p_limit, p_per_webhook, p_per_host, p_busy_webhooks, p_busy_series) -> what is to be
-- delivered now, one row per lane, the longest due first
--
-- For the session that is the sender of that term (gapless.webhook_sends), since it is told secrets; it says
-- so that the sender lives. Element k of the two lists is a lane whose delivery is under way: nothing of it.
-- series_id: the lane (gapless.webhook_lane); -1: a test, of kind webhook.test and without seq. At most
-- p_per_webhook at once of a webhook, one while an attempt of it failed, and p_per_host of all that deliver
-- to one host, with those under way. secrets: keys that sign, one or, after a rotation, two, the newest
-- first. Nothing is noted of what was asked: who asks again without naming it under way gets it again. While
-- the database is fenced only fence.raised is delivered; of a webhook that was made in another environment
-- nothing. Raises GL014 when the term is over, or another session's. To be called at READ COMMITTED.
create or replace function gapless.webhook_due(
    p_term bigint, p_limit integer default 64, p_per_webhook integer default 4,
    p_per_host integer default 16, p_busy_webhooks integer[] default '{}',
    p_busy_series integer[] default '{}'
)
returns table (
    webhook_id integer, series_id integer, seq bigint, url text, secrets bytea[], attempt integer, id uuid,
    kind text, series text, at timestamptz, epoch integer, environment text, time_zone text, data jsonb
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
    v_here   text := gapless.environment_name();
    v_fenced boolean;
begin
    perform set_config('synchronous_commit', 'off', true); -- what is forgotten is delivered twice
    if not gapless.webhook_sends(p_term) then
        raise exception 'another instance delivers by now' using errcode = 'GL014';
    end if;
    update gapless.webhook_sender s set seen_at = clock_timestamp()
    where s.term = p_term and s.seen_at < clock_timestamp() - interval '3 seconds';
    perform gapless.webhook_deal();
    if not exists (
        select from gapless.webhook_queue q where q.next_attempt_at <= clock_timestamp()
        union all
        select from gapless.webhook w where w.test_id is not null
    ) then
        return;
    end if;
    v_fenced := (select s.trouble from gapless.epoch_state() s) is not null;
    return query
        with busy as (
            select b.webhook_id, b.lane from unnest(p_busy_webhooks, p_busy_series) as b (webhook_id, lane)
        ), load as (
            select w.webhook_id,
                   case
                   when exists (
                       select
                       from gapless.webhook_queue q
                       where q.webhook_id = w.webhook_id and q.attempts > 0
                   ) then 1
                   else p_per_webhook
                   end - (select count(*) from busy b where b.webhook_id = w.webhook_id) as places,
                   gapless.webhook_host_name(w.url) as host
            from gapless.webhook w
        ), host as (
            select l.host, p_per_host - count(b.lane) as places
            from load l
            left join busy b using (webhook_id)
            group by l.host
        ), due as (
            select w.webhook_id, q.lane, q.next_seq, q.attempts, q.next_attempt_at as since
            from gapless.webhook_queue q
            join gapless.webhook w using (webhook_id)
            join gapless.notice n on n.seq = q.next_seq -- it may have expired at this very moment
            where q.next_attempt_at <= clock_timestamp() and w.dead_at is null
              and (not v_fenced or q.lane = gapless.webhook_lane('fence.raised', null))
            union all
            select w.webhook_id, -1, null, 0, '-infinity'
            from gapless.webhook w
            where w.test_id is not null and not v_fenced
        ), free as (
            select d.*, row_number() over (partition by d.webhook_id order by d.since, d.next_seq) as nth
            from due d
            join gapless.webhook w using (webhook_id)
            where w.environment is not distinct from v_here
              and not exists (select from busy b where b.webhook_id = d.webhook_id and b.lane = d.lane)
        ), chosen as (
            select f.*
            from (
                select f.*, l.host,
                       row_number() over (
                           partition by l.host order by f.since, f.next_seq, f.webhook_id) as nth_of_host
                from free f
                join load l using (webhook_id)
                where f.nth <= l.places
            ) f
            join host h using (host)
            where f.nth_of_host <= h.places
            order by f.since, f.next_seq, f.webhook_id
            limit p_limit
        )
        select c.webhook_id, c.lane, n.seq, w.url,
               case
               when w.old_secret_until > now() then array[w.secret, w.old_secret]
               else array[w.secret]
               end,
               c.attempts + 1, coalesce(n.id, w.test_id), coalesce(n.kind, 'webhook.test'), s.name,
               coalesce(n.at, now()), coalesce(n.epoch, (select max(e.epoch) from gapless.epoch e)),
               v_here, coalesce(n.time_zone, gapless.time_zone()), coalesce(n.data, '{}')
        from chosen c
        join gapless.webhook w using (webhook_id)
        left join gapless.notice n on n.seq = c.next_seq
        left join gapless.series s on s.series_id = n.series_id
        order by c.since, c.next_seq, c.webhook_id;
end;
$$;
