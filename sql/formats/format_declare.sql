-- format_declare(p_name, p_declaration, p_actor) -> nothing
--
-- Stores a format of the shipper's own. The program has compiled the declaration already; only the name is
-- checked here. Raises GL014 if another declaration has it; repeating the same one changes nothing. Needs
-- scope admin (GL003, GL004: gapless.require_scope). Writes one audit row.
create or replace function gapless.format_declare(p_name text, p_declaration jsonb, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    -- A null member counts as missing: declarations of an earlier version lack the later members.
    p_declaration := jsonb_strip_nulls(p_declaration);
    if exists (
        select from gapless.format f
        where f.name = p_name and jsonb_strip_nulls(f.declaration) = p_declaration
    ) then
        return;
    end if;
    if exists (select from gapless.format f where f.name = p_name) then
        raise exception 'there is a format % already, declared otherwise', quote_literal(p_name)
            using errcode = 'GL014';
    end if;
    insert into gapless.format (name, declaration, created_by) values (p_name, p_declaration, p_actor);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'format.declare', p_subject => p_name, p_before => null,
        p_after => p_declaration
    );
end;
$$;
