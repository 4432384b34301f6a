-- taken_serials(p_space, p_firsts, p_lasts) -> serials of the space's blocks that share one with these,
-- without withdrawn blocks
--
-- One look-up for all blocks of a file: gapless.overlapping_blocks, asked for each, takes longer than the
-- load, and most blocks share no serial with any.
create or replace function gapless.taken_serials(p_space text, p_firsts bigint[], p_lasts bigint[])
returns int8multirange
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
    return (
        select coalesce(range_agg(gapless.assigned_part(b)), '{}')
        from gapless.block b
        where b.space = p_space and b.state <> 'withdrawn' and gapless.assigned_part(b) && (
            select range_agg(int8range(n.first, n.last, '[]'))
            from unnest(p_firsts, p_lasts) as n (first, last)
        )
    );
end;
$$;
