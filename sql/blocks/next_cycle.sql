-- next_cycle(p_space, p_first, p_last) -> 1, or one more than that of the loaded blocks with these serials
create or replace function gapless.next_cycle(p_space text, p_first bigint, p_last bigint) returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select coalesce(max(h.cycle), 0) + 1 from gapless.overlapping_blocks(p_space, p_first, p_last) h
    );
end;
$$;
