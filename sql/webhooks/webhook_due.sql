-- webhook_due(p_limit, p_busy, p_per_host, p_per_person) -> what is to be delivered now, one row per webhook,
-- the longest due first
--
-- For the session that delivers (gapless.webhook_sends), since it returns secrets; raises GL014 for
-- others. For each webhook returns the first notice after its cursor, unless it waits for another attempt
-- (none is more than 3 hours away, unless the clock was ahead); nothing for those in p_busy, whose
-- deliveries are under way. A test (kind webhook.test, without seq) goes first, but not while the database
-- is fenced; numbered notices are delivered even then. Including those under way, at most p_per_host
-- deliveries go to one host, and p_per_person are of one person's tokens; all roles count as one person.
-- attempt: 1 for the first. secrets: the signing keys, one or, after a rotation, two, newest first. Does
-- not record what it returned: if the caller asks again without naming a webhook busy, it gets it again.
-- Call it at READ COMMITTED.
create or replace function gapless.webhook_due(
    p_limit integer default 64, p_busy integer[] default '{}', p_per_host integer default 16,
    p_per_person integer default 32
)
returns table (
    webhook_id integer, attempt integer, url text, secrets bytea[], credentials text, missed boolean, id uuid,
    seq bigint, kind text, series text, at timestamptz, epoch integer, environment text, time_zone text,
    data jsonb
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
    v_here  text := gapless.environment_name();
    v_tests boolean := false; -- whether tests are sent
begin
    perform set_config('synchronous_commit', 'off', true); -- what a crash forgets is delivered twice
    perform gapless.require_webhook_sender();
    perform gapless.webhook_pass_over(p_busy);
    if exists (select from gapless.webhook w where w.test_id is not null) then
        v_tests := (select s.trouble from gapless.epoch_state() s) is null;
    end if;
    return query
        with ready as (
            select w.webhook_id, w.person_id, gapless.webhook_host_name(w.url) as host,
                   w.webhook_id = any (p_busy) as busy, n.seq,
                   case when n.seq is null then '-infinity' else w.next_attempt_at end as since
            from gapless.webhook w
            left join lateral (
                select x.seq
                from gapless.webhook_wants(w, w.seq + 1, w.seq + 1) as x (seq)
                where w.next_attempt_at not between clock_timestamp() and clock_timestamp() + interval '4 h'
                  and w.dead_at is null
                  and not (v_tests and w.test_id is not null)
            ) n on true
            where w.webhook_id = any (p_busy)
               or (n.seq is not null or v_tests and w.test_id is not null)
              and w.environment is not distinct from v_here
        ), load as (
            select r.*, count(*) filter (where r.busy) over (partition by r.host) as busy_of_host,
                   count(*) filter (where r.busy) over (partition by r.person_id) as busy_of_person
            from ready r
        ), of_host as ( -- deliveries under way count first; rows over a limit take no place from others
            select r.*,
                   row_number() over (
                       partition by r.host order by r.busy desc, r.since, r.webhook_id) as nth_of_host
            from load r
            where r.busy or r.busy_of_host < p_per_host and r.busy_of_person < p_per_person
        ), of_person as (
            select h.*,
                   row_number() over (
                       partition by h.person_id order by h.busy desc, h.since, h.webhook_id) as nth_of_person
            from of_host h
            where h.nth_of_host <= p_per_host or h.busy
        )
        select w.webhook_id, case when n.seq is null then 1 else w.attempts + 1 end, w.url,
               case
               when w.old_secret_until > now() then array[w.secret, w.old_secret]
               else array[w.secret]
               end,
               w.credentials, w.missed and n.seq is not null, coalesce(n.id, w.test_id), n.seq,
               coalesce(n.kind, 'webhook.test'), s.name, coalesce(n.at, now()),
               coalesce(n.epoch, (select max(e.epoch) from gapless.epoch e)), v_here,
               coalesce(n.time_zone, gapless.time_zone()), coalesce(n.data, '{}')
        from of_person c
        join gapless.webhook w using (webhook_id)
        left join gapless.notice n on n.seq = c.seq
        left join gapless.series s using (series_id)
        where c.nth_of_person <= p_per_person and not c.busy
        order by c.since, c.webhook_id
        limit p_limit;
end;
$$;
