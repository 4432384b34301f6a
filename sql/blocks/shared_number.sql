-- shared_number(p_program, p_first, p_last, p_other, p_other_first, p_other_last) -> a number that both
-- ranges of serials print, or null
--
-- Steps through both ranges in turn, each time to the first number that is not before the other's, so
-- ranges that run side by side end at once. Gives up after 64 steps: null. Check characters stand behind the
-- serials.
create or replace function gapless.shared_number(
    p_program jsonb, p_first bigint, p_last bigint, p_other jsonb, p_other_first bigint, p_other_last bigint
)
returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_number text;
    v_other  text;
begin
    for v_step in 1 .. 64 loop
        v_number := gapless.format_number(p_program, p_first);
        p_other_first := gapless.serial_from(p_other, p_other_first, p_other_last, v_number);
        exit when p_other_first is null;
        v_other := gapless.format_number(p_other, p_other_first);
        if v_number = v_other then
            return v_number;
        end if;
        p_first := gapless.serial_from(p_program, p_first, p_last, v_other);
        exit when p_first is null;
    end loop;
    return null;
end;
$$;
