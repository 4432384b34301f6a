-- refuse_one_person(p_space) -> nothing; raises GL004 forbidden for a number space whose blocks must be
-- loaded by two people (gapless.two_people_load)
create or replace function gapless.refuse_one_person(p_space text) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if gapless.two_people_load(p_space) then
        raise exception 'blocks of the number space % are loaded by two people: one proposes, another one '
                        'confirms', quote_literal(p_space)
            using errcode = 'GL004';
    end if;
end;
$$;
