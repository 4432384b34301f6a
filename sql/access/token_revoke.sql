-- token_revoke(p_token_id, p_actor) -> nothing
--
-- From then on the token is not accepted; a running service notices within five seconds. Repeating it changes
-- nothing. Raises GL008 not-found. Needs scope admin (GL003, GL004: gapless.require_scope); a token may
-- revoke those of its own series, whatever their scopes, since they may have leaked, and sees no others
-- (GL008: gapless.require_reach). Writes one audit row the first time.
create or replace function gapless.token_revoke(p_token_id integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token   gapless.token;
    v_missing text := format('there is no token %s; list them: gapless token list', p_token_id);
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    select * into v_token from gapless.token t where t.token_id = p_token_id;
    if not found then
        raise exception '%', v_missing using errcode = 'GL008';
    end if;
    perform gapless.require_reach(null, v_token.series, v_missing);
    update gapless.token t set revoked_at = now() where t.token_id = p_token_id and t.revoked_at is null;
    if found then
        perform gapless.audit(
            p_actor => p_actor, p_action => 'token.revoke', p_subject => p_token_id::text,
            p_before => jsonb_build_object('revoked', false), p_after => jsonb_build_object('revoked', true)
        );
    end if;
end;
$$;
