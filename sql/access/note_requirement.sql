-- note_requirement(p_required) -> nothing; records what this transaction required of its token, for
-- gapless.answer_keep
--
-- Appends an element to the list in the setting gapless.required, which ends with the transaction:
-- {"scope","series"} of gapless.require_scope, {"scopes","reach","missing"} of gapless.require_reach.
create or replace function gapless.note_requirement(p_required jsonb) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    perform set_config(
        'gapless.required',
        (coalesce(nullif(current_setting('gapless.required', true), ''), '[]')::jsonb || p_required)::text,
        true
    );
end;
$$;
