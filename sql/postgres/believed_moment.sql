-- believed_moment(p_moment) -> the moment that decides whether blocks and holds have expired: p_moment, or
-- the last trusted one while the clock is in doubt
--
-- In plpgsql, which keeps the plan for the session.
create or replace function gapless.believed_moment(p_moment timestamptz) returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select case when c.doubted_at is not null then least(p_moment, c.looked_at) else p_moment end
        from gapless.clock c
    );
end;
$$;
