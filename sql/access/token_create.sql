-- token_create(p_name, p_secret_hash, p_scopes, p_series, p_expires_at, p_actor, p_rate, p_burst,
-- p_daily_quota) -> token id
--
-- Tokens of one name are one owner: they share their idempotency keys, so that a secret can be rotated. A
-- token created through another one counts as that one's person, at any depth (gapless.acting_person).
-- p_series null: every series; p_rate, p_burst, p_daily_quota null: the service's limits apply, 0: no limit.
-- Raises GL005 for a series that does not exist, GL017 for an unknown scope or a negative limit. Needs scope
-- admin; a token cannot create one beyond its own scopes and series, nor one of a name whose tokens reach
-- beyond them (GL003, GL004: gapless.require_scope, gapless.require_reach, gapless.take_owner). Writes one
-- audit row. Locks the owner.
create or replace function gapless.token_create(
    p_name text, p_secret_hash bytea, p_scopes text[], p_series text[], p_expires_at timestamptz,
    p_actor text, p_rate integer default null, p_burst integer default null, p_daily_quota bigint default null
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_owner_id integer;
    v_token_id integer;
    v_missing  text;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.require_reach(p_scopes, p_series);
    select n into v_missing
    from unnest(p_series) as n
    where not exists (select from gapless.series s where s.name = n) limit 1;
    if found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(v_missing)
            using errcode = 'GL005';
    end if;
    v_owner_id := gapless.take_owner('token:' || p_name);
    insert into gapless.token (
        owner_id, person_id, secret_hash, scopes, series, expires_at, created_by, rate, burst, daily_quota
    )
    values (
        v_owner_id, coalesce((gapless.acting_token()).person_id, v_owner_id), p_secret_hash, p_scopes,
        p_series, p_expires_at, p_actor, p_rate, p_burst, p_daily_quota
    )
    returning token_id into v_token_id;

    perform gapless.audit(
        p_actor => p_actor, p_action => 'token.create', p_subject => v_token_id::text, p_before => null,
        p_after => jsonb_build_object(
            'name', p_name, 'scopes', p_scopes, 'series', p_series, 'expires_at', p_expires_at, 'rate',
            p_rate, 'burst', p_burst, 'daily_quota', p_daily_quota
        )
    );
    return v_token_id;
exception
    when check_violation or not_null_violation then
        if p_rate < 0 or p_burst < 1 or p_daily_quota < 0 then
            raise exception 'a rate and a daily quota are 0 or more, a burst is 1 or more'
                using errcode = 'GL017';
        end if;
        raise exception 'scopes are issue, read, load, admin, not %',
            quote_nullable(array_to_string(p_scopes, ','))
            using errcode = 'GL017';
end;
$$;
