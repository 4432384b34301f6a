-- owner_id(p_name) -> the id under which a token name or database role keeps its idempotency keys
--
-- Inserts the owner if it is new.
create or replace function gapless.owner_id(p_name text) returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_owner_id integer;
begin
    select o.owner_id into v_owner_id from gapless.token_owner o where o.name = p_name;
    if not found then
        insert into gapless.token_owner (name) values (p_name) on conflict do nothing;
        select o.owner_id into v_owner_id from gapless.token_owner o where o.name = p_name;
    end if;
    return v_owner_id;
end;
$$;
