-- token_create(p_name, p_secret_hash, p_scopes, p_series, p_expires_at, p_actor) -> token id
--
-- Tokens of one name are one owner: they share their idempotency keys, so that a secret can be rotated. p_series
-- null: every series. Raises GL005 for a series that does not exist, GL017 for an unknown scope. Writes one audit
-- row.
create or replace function gapless.token_create(
    p_name text, p_secret_hash bytea, p_scopes text[], p_series text[], p_expires_at timestamptz, p_actor text
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token_id integer;
    v_missing  text;
begin
    select n into v_missing from unnest(p_series) as n where not exists (select from gapless.series s where s.name = n) limit 1;
    if found then
        raise exception 'there is no series %', quote_literal(v_missing) using errcode = 'GL005';
    end if;
    insert into gapless.token (owner_id, secret_hash, scopes, series, expires_at, created_by)
    values (gapless.owner_id('token:' || p_name), p_secret_hash, p_scopes, p_series, p_expires_at, p_actor)
    returning token_id into v_token_id;

    perform gapless.audit(
        p_actor, 'token.create', v_token_id::text, null,
        jsonb_build_object('name', p_name, 'scopes', p_scopes, 'series', p_series, 'expires_at', p_expires_at)
    );
    return v_token_id;
exception
    when check_violation or not_null_violation then
        raise exception 'scopes are issue, read, load, admin, not %', quote_nullable(array_to_string(p_scopes, ',')) using errcode = 'GL017';
end;
$$;
