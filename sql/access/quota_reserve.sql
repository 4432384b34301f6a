-- quota_reserve(p_token_id, p_quota, p_count) -> day, seconds until it ends, reserved so far, granted now
--
-- Reserves numbers of today's quota (gapless.day_of, by the database's clock) for the calling instance:
-- p_count or, while much is left, a 64th of the rest; 0 if less than p_count is left. The sum of all grants
-- of a day never exceeds the quota, however many instances ask. Locks the row of token and day. Does not wait
-- for a standby, which would delay requests too long: a failover may lose a grant, and the day may exceed the
-- quota by as much.
create or replace function gapless.quota_reserve(p_token_id integer, p_quota bigint, p_count bigint)
returns table (day_number integer, seconds_left integer, reserved bigint, granted bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_day      date   := gapless.day_of(now());
    v_reserved bigint;
    v_granted  bigint := 0;
begin
    perform set_config('synchronous_commit', 'local', true);
    insert into gapless.token_quota as q (token_id, day, reserved) values (
        p_token_id, v_day, 0
    ) on conflict do nothing;
    if found then
        -- By rank: while the clock is ahead, today's row must not go.
        delete from gapless.token_quota q
        where q.token_id = p_token_id and q.day < (
            select k.day
            from gapless.token_quota k
            where k.token_id = p_token_id
            order by k.day desc
            offset 7 limit 1
        );
    end if;
    select q.reserved into strict v_reserved
    from gapless.token_quota q
    where q.token_id = p_token_id and q.day = v_day for update;
    if p_quota - v_reserved >= p_count then
        v_granted := greatest(p_count, (p_quota - v_reserved) / 64);
        update gapless.token_quota q set reserved = v_reserved + v_granted
        where q.token_id = p_token_id and q.day = v_day;
    end if;
    return query
        select v_day - date '1970-01-01',
               ceil(extract(epoch from gapless.day_begins(v_day + 1) - now()))::integer,
               v_reserved + v_granted, v_granted;
end;
$$;
