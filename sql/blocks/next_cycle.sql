-- next_cycle(p_space, p_first, p_last, p_taken) -> 1, or one more than that of the loaded blocks with these
-- serials; p_taken: gapless.taken_serials
create or replace function gapless.next_cycle(
    p_space text, p_first bigint, p_last bigint, p_taken int8multirange
)
returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
    if not int8range(p_first, p_last, '[]') && p_taken then
        return 1;
    end if;
    return (
        select max(b.cycle) + 1
        from gapless.block b
        where b.space = p_space and b.state <> 'withdrawn'
          and gapless.assigned_part(b) && int8range(p_first, p_last, '[]')
    );
end;
$$;
