-- token_identify(p_token_id, p_secret_hash) -> the token (as gapless.token_report shows it) with that id and
-- the secret of that hash
--
-- Returns revoked and expired tokens, too: whoever knows the secret may know why it does not work. No row for
-- a wrong hash, as for an unknown id. This is how the service learns whose token it was shown; no function
-- returns a hash (gapless.acting_token says what the hash is for, and why timing reveals nothing).
create or replace function gapless.token_identify(p_token_id integer, p_secret_hash bytea)
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
    select r.*
    from gapless.token t
    cross join lateral gapless.token_report(t.token_id) r
    where t.token_id = p_token_id and t.secret_hash = p_secret_hash;
$$;
