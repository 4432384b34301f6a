-- require_again(p_required) -> nothing; requires of the acting token what an answer required
--
-- p_required: the list of gapless.note_requirement. Raises GL003, GL004, GL005 and GL008 as the operation
-- does, so that a token replays nothing beyond its own reach that a larger token of its name did.
create or replace function gapless.require_again(p_required jsonb) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_each jsonb;
begin
    for v_each in select e from jsonb_array_elements(p_required) as e loop
        if v_each ? 'scope' then
            perform gapless.require_scope(v_each ->> 'scope', v_each ->> 'series', session_user::text);
        else
            perform gapless.require_reach(
                case when v_each -> 'scopes' <> 'null' then
                    array(select jsonb_array_elements_text(v_each -> 'scopes'))
                end,
                case when v_each -> 'reach' <> 'null' then
                    array(select jsonb_array_elements_text(v_each -> 'reach'))
                end,
                v_each ->> 'missing'
            );
        end if;
    end loop;
end;
$$;
