-- token_report(p_token_id) -> one row per token, oldest first; null for all
--
-- Never contains the hash of a secret, which a session shows to act for the token (gapless.acting_token).
-- in_force: neither revoked nor expired by the database's clock.
create or replace function gapless.token_report(p_token_id integer default null)
returns table (
    token_id integer, owner_id integer, name text, scopes text[], series text[],
    expires_at timestamptz, created_at timestamptz, revoked_at timestamptz, in_force boolean,
    rate integer, burst integer, daily_quota bigint
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select t.token_id, t.owner_id, substr(o.name, 7), t.scopes, t.series, t.expires_at, t.created_at,
           t.revoked_at, t.revoked_at is null and (t.expires_at is null or t.expires_at > now()), t.rate,
           t.burst, t.daily_quota
    from gapless.token t
    join gapless.token_owner o using (owner_id)
    where p_token_id is null or t.token_id = p_token_id
    order by t.token_id;
$$;
