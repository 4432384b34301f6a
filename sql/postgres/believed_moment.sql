-- believed_moment(p_moment) -> the moment that decides whether blocks have expired: p_moment, or the last
-- trusted one while the clock is in doubt
create or replace function gapless.believed_moment(p_moment timestamptz) returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select case when c.doubted_at is not null then least(p_moment, c.looked_at) else p_moment end
    from gapless.clock c;
$$;
