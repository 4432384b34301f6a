-- require_scope(p_scope, p_series, p_actor) -> the actor, as records name it
--
-- A transaction that names a token (gapless.acting_token) acts for it, whatever the session's role: the token
-- must be in force, have the scope, and cover that series. p_series null: no single series is concerned;
-- empty: a series that does not exist. Without a token only the owner, superusers and roles in gapless_admin
-- may act, in their own right and as p_actor, and roles in gapless_audit may read; session_user decides,
-- since a SECURITY DEFINER function runs as the owner. So a compromised service acts only for tokens it was
-- shown. Raises GL003 unauthenticated, GL004 forbidden, GL005 for a series the token does not cover, as for a
-- missing one.
create or replace function gapless.require_scope(p_scope text, p_series text, p_actor text) returns text
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token gapless.token;
begin
    if coalesce(current_setting('gapless.token_id', true), '') = '' then
        if pg_has_role(session_user, 'gapless_admin', 'member')
           or gapless.acts_as_owner()
           or p_scope = 'read' and pg_has_role(session_user, 'gapless_audit', 'member')
        then
            return p_actor;
        end if;
        raise exception 'role % acts for tokens only, and none is named; roles in gapless_admin act in their '
                        'own right',
            quote_ident(session_user)
            using errcode = 'GL003';
    end if;

    v_token := gapless.acting_token();
    if v_token.token_id is null then
        raise exception 'the token is none of this database' using errcode = 'GL003';
    end if;
    if v_token.revoked_at is not null or v_token.expires_at <= now() then
        raise exception 'the token %',
            case when v_token.revoked_at is null then 'has expired' else 'was revoked' end
            using errcode = 'GL003';
    end if;
    if p_scope <> all (v_token.scopes) then
        raise exception 'the token lacks the scope %', p_scope using errcode = 'GL004';
    end if;
    if p_series <> all (v_token.series) then
        raise exception 'no series of this name is visible to this token' using errcode = 'GL005';
    end if;
    perform gapless.note_requirement(jsonb_build_object('scope', p_scope, 'series', p_series));
    return (select o.name from gapless.token_owner o where o.owner_id = v_token.owner_id);
end;
$$;
