-- take_owner(p_name) -> the id of that owner, for another token of the name
--
-- Tokens of one name share their keys and the answers kept under them. So a token (gapless.acting_token) may
-- use a name if it is its own, or every token there ever was of that name is within its scopes and series.
-- Raises GL004 forbidden. Locks the owner: two tokens of a new name come one after the other.
create or replace function gapless.take_owner(p_name text) returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_token    gapless.token := gapless.acting_token();
    v_owner_id integer := gapless.owner_id(p_name);
begin
    perform from gapless.token_owner o where o.owner_id = v_owner_id for update;
    if v_token.owner_id <> v_owner_id and exists (
        select
        from gapless.token t
        where t.owner_id = v_owner_id
          and not (t.scopes <@ v_token.scopes
                   and (v_token.series is null or coalesce(t.series <@ v_token.series, false)))
    ) then
        raise exception 'there are tokens of this name beyond the scopes or series of the token; choose '
                        'another name'
            using errcode = 'GL004';
    end if;
    return v_owner_id;
end;
$$;
