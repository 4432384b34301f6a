-- token_revoke(p_token_id, p_actor) -> nothing
--
-- From now on the token opens nothing; a running service notices within five seconds. Repeatable. Raises GL008
-- not-found. Writes one audit row the first time.
create or replace function gapless.token_revoke(p_token_id integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select from gapless.token t where t.token_id = p_token_id) then
        raise exception 'there is no token %', p_token_id using errcode = 'GL008';
    end if;
    update gapless.token t set revoked_at = now() where t.token_id = p_token_id and t.revoked_at is null;
    if found then
        perform gapless.audit(p_actor, 'token.revoke', p_token_id::text, jsonb_build_object('revoked', false), jsonb_build_object('revoked', true));
    end if;
end;
$$;
