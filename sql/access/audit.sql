-- audit(p_actor, p_action, p_subject, p_before, p_after) -> nothing
--
-- Adds one row to the audit log, in the transaction of the act itself, with the role that is logged in. The
-- role chooses the actor; 'sql:' precedes it unless gaplessd or gapless calls, or a token acts. For an HTTP
-- request the service has named token and request (name_actor in src/access/token_store.cpp). The token is
-- recorded only if its hash was shown (gapless.acting_token); the request's id, gapless.request_id, is taken
-- on the service's word. Raises GL019 while the database is prepared for a move: the copy would lack the act.
create or replace function gapless.audit(
    p_actor text, p_action text, p_subject text, p_before jsonb, p_after jsonb
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token   gapless.token := gapless.acting_token();
    v_arrived bigint;
begin
    if p_action not like 'epoch.%' and p_action not in ('fence.raise', 'environment.set') then
        perform gapless.refuse_while_moving();
    end if;
    insert into gapless.audit_log (actor, action, subject, before, after, token_id, request_id)
    values (
        case
        when p_actor like 'sql:%' or current_setting('application_name') in ('gapless', 'gaplessd')
             or v_token.token_id is not null
            then p_actor
        else 'sql:' || p_actor
        end,
        p_action, p_subject, p_before, p_after,
        v_token.token_id, nullif(current_setting('gapless.request_id', true), '')
    );
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'audit_log');
end;
$$;
