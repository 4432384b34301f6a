-- token_page(p_token_id, p_after, p_limit) -> tokens (as gapless.token_report shows them), oldest first
--
-- The one with that id, and those with ids above p_after (each null: any), at most p_limit (null: all). A
-- token for some series sees only tokens for no other series. Needs scope admin (GL003, GL004:
-- gapless.require_scope). Takes no lock.
create or replace function gapless.token_page(
    p_token_id integer default null, p_after integer default null, p_limit integer default null
)
returns table (
    token_id integer, owner_id integer, name text, scopes text[], series text[],
    expires_at timestamptz, created_at timestamptz, revoked_at timestamptz, in_force boolean,
    rate integer, burst integer, daily_quota bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series text[];
begin
    perform gapless.require_scope('admin', null, session_user::text);
    v_series := (gapless.acting_token()).series;
    return query
        select r.*
        from gapless.token_report(p_token_id) r
        where (v_series is null or r.series <@ v_series) and (p_after is null or r.token_id > p_after)
        order by r.token_id
        limit p_limit;
end;
$$;
