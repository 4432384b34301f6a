-- require_reach(p_scopes, p_series, p_missing) -> nothing
--
-- A token cannot grant or revoke anything beyond its own scopes and series (p_series null: every series;
-- p_scopes null: none concerned). Raises GL004 forbidden; or GL008 not-found with the message p_missing,
-- where the token must not learn that the object exists. Does not limit those who act in their own right.
-- Call gapless.require_scope first.
create or replace function gapless.require_reach(
    p_scopes text[], p_series text[], p_missing text default null
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token gapless.token := gapless.acting_token();
begin
    if v_token.token_id is null then
        return;
    end if;
    if not p_scopes <@ v_token.scopes then
        raise exception 'the token is limited to the scopes %', array_to_string(v_token.scopes, ', ')
            using errcode = 'GL004';
    end if;
    if v_token.series is not null and (p_series <@ v_token.series) is not true then
        raise exception '%', coalesce(
            p_missing,
            'the token is limited to the series ' || array_to_string(v_token.series, ', ')
            || case when p_series is null then ': this takes one for every series' else '' end
        )
            using errcode = case when p_missing is null then 'GL004' else 'GL008' end;
    end if;
    perform gapless.note_requirement(
        jsonb_build_object('scopes', p_scopes, 'reach', p_series, 'missing', p_missing)
    );
end;
$$;
