-- refuse_one_person(p_carrier) -> nothing; raises GL004 forbidden for a carrier whose blocks are loaded by
-- two people
create or replace function gapless.refuse_one_person(p_carrier text) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if (select c.four_eyes from gapless.carrier c where c.code = p_carrier) then
        raise exception 'blocks of carrier % are loaded by two people: one proposes, another one confirms',
            quote_literal(p_carrier)
            using errcode = 'GL004';
    end if;
end;
$$;
