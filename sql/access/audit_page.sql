-- audit_page(p_actor, p_subject, p_from, p_to, p_before, p_limit) -> acts, the newest first
--
-- Of that actor, about that subject, and in that time (each null: any); with ids below p_before (null: from
-- the newest). Needs scope admin and a token for every series (GL003, GL004: gapless.require_scope,
-- gapless.require_reach). Takes no lock.
create or replace function gapless.audit_page(
    p_actor text, p_subject text, p_from timestamptz, p_to timestamptz, p_before bigint, p_limit integer
)
returns table (
    audit_id bigint, at timestamptz, actor text, role text, action text, subject text, before jsonb,
    after jsonb, token_id integer, request_id text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.require_scope('admin', null, session_user::text);
    perform gapless.require_reach(null, null);
    return query
        select a.audit_id, a.at, a.actor, a.role, a.action, a.subject, a.before, a.after, a.token_id,
               a.request_id
        from gapless.audit_log a
        where (p_actor is null or a.actor = p_actor) and (p_subject is null or a.subject = p_subject)
          and (p_from is null or a.at >= p_from) and (p_to is null or a.at <= p_to)
          and (p_before is null or a.audit_id < p_before)
        order by a.audit_id desc
        limit p_limit;
end;
$$;
