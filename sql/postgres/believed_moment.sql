-- believed_moment(p_moment) -> the moment by which the time of blocks is judged: p_moment, or while the clock
-- is doubted the last one that was not
create or replace function gapless.believed_moment(p_moment timestamptz) returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select case when c.doubted_at is not null then least(p_moment, c.looked_at) else p_moment end
    from gapless.clock c;
$$;
