-- prints_same(p_program, p_first, p_last, p_other, p_other_first, p_other_last) -> whether the two ranges of
-- serials print a number in common, as far as gapless.shared_number finds one; a check character before the
-- serial counts as every character that it may be
create or replace function gapless.prints_same(
    p_program jsonb, p_first bigint, p_last bigint, p_other jsonb, p_other_first bigint, p_other_last bigint
)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select from gapless.programs_in_order(p_program) mine, gapless.programs_in_order(p_other) others
        where gapless.shared_number(mine, p_first, p_last, others, p_other_first, p_other_last) is not null
    );
$$;
