-- lease_tokens(p_instance, p_secret, p_used, p_limit) -> the tokens that an instance may accept while it
-- cannot ask: in force, with scope issue, at most p_limit
--
-- If there are more, everybody who created some gets an equal share, and within a share the tokens that the
-- instance saw used come first (p_used, token ids, latest first), then the newest. So one person's excess
-- leaves out only that person's tokens. in_all: how many there are. secret_check: the SHA-256 of the secret's
-- hash. It proves a secret right, but is not the hash with which a session acts for the token
-- (gapless.acting_token), wherever it is kept. The instance must prove itself (GL004:
-- gapless.require_secret). Takes no lock.
create or replace function gapless.lease_tokens(
    p_instance uuid, p_secret bytea, p_used integer[] default '{}', p_limit integer default 10000
)
returns table (
    token_id integer, owner_id integer, name text, secret_check bytea, scopes text[], series text[],
    expires_at timestamptz, rate integer, burst integer, daily_quota bigint, in_all bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    perform gapless.require_secret(p_instance, p_secret);
    return query
        select r.token_id, r.owner_id, r.name, sha256(r.secret_hash), r.scopes, r.series, r.expires_at,
               r.rate, r.burst, r.daily_quota, r.in_all
        from (
            select r.*, t.secret_hash, count(*) over () as in_all, u.place, row_number() over (
                       partition by t.created_by order by u.place, r.token_id desc
                   ) as share
            from gapless.token_report() r
            join gapless.token t using (token_id)
            left join unnest(p_used) with ordinality as u (token_id, place) using (token_id)
            where r.in_force and 'issue' = any (r.scopes)
        ) r
        order by r.share, r.place, r.token_id desc
        limit p_limit;
end;
$$;
