-- programs_in_order(p_program) -> programs whose numbers together are at least those of p_program, each in
-- the order of its serials: itself, or if its check character stands before the serial, one for each it may
-- be
create or replace function gapless.programs_in_order(p_program jsonb)
returns setof jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select p_program
    where position('?' in p_program ->> 'head') = 0
    union all
    select p_program || jsonb_build_object('head', replace(p_program ->> 'head', '?', c), 'check', null)
    from string_to_table(
        coalesce(p_program -> 'check' ->> 'results', p_program -> 'check' ->> 'alphabet'), null
    ) c
    where position('?' in p_program ->> 'head') > 0;
$$;
