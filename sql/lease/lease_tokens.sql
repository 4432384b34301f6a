-- lease_tokens(p_limit) -> the tokens that an instance may answer while it cannot ask: in force, with scope
-- issue, p_limit of them at most
--
-- secret_check: the SHA-256 of the secret's hash. It tells a secret that is right, and is no hash with which
-- a session acts for the token (gapless.acting_token), wherever it is kept.
create or replace function gapless.lease_tokens(p_limit integer default 10001)
returns table (
    token_id integer, owner_id integer, name text, secret_check bytea, scopes text[], series text[],
    expires_at timestamptz, rate integer, burst integer, daily_quota bigint
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select r.token_id, r.owner_id, r.name, sha256(t.secret_hash), r.scopes, r.series, r.expires_at, r.rate,
           r.burst, r.daily_quota
    from gapless.token_report() r
    join gapless.token t using (token_id)
    where r.in_force and 'issue' = any (r.scopes)
    order by r.token_id
    limit p_limit;
$$;
