-- free_pieces(p_series_id, p_numbers, p_least) -> the free numbers, as runs within one block, lowest ordinal
-- first
--
-- Returns only runs of at least p_least numbers, and stops once they add up to p_numbers (null: all): the
-- free set may be large, so no more of it is read than needed. Not in language sql, which would assemble all
-- runs before it returned the first.
create or replace function gapless.free_pieces(
    p_series_id integer, p_numbers bigint default null, p_least bigint default 1
)
returns table (block_id integer, ordinal bigint, serial bigint, room bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_run   int8range; -- part of one chunk
    v_from  bigint;
    v_to    bigint;
    v_block record;
    v_end   bigint := 0; -- the ordinal after the block's last
    v_sum   bigint := 0;
begin
    for v_run in
        select unnest(s.numbers)
        from gapless.number_state s
        where s.series_id = p_series_id and s.state = 'free'
        order by s.chunk
    loop
        v_from := lower(v_run);
        while v_from < upper(v_run) loop
            -- the run continues in the next chunk
            if v_from = free_pieces.ordinal + free_pieces.room and v_from < v_end then
                v_to := least(upper(v_run), v_end);
                room := free_pieces.room + v_to - v_from;
            else
                if free_pieces.room >= p_least then
                    return next;
                    v_sum := v_sum + free_pieces.room;
                end if;
                if v_from >= v_end then
                    select b.block_id, b.first_serial - b.first_ordinal as distance,
                           upper(u.ordinals) as end_ordinal
                    into strict v_block
                    from gapless.block b
                    cross join lateral gapless.used_part(b) u
                    where b.series_id = p_series_id and b.first_ordinal <= v_from
                      and v_from < upper(u.ordinals)
                    order by b.first_ordinal desc
                    limit 1;
                    v_end := v_block.end_ordinal;
                end if;
                v_to := least(upper(v_run), v_end);
                block_id := v_block.block_id;
                ordinal := v_from;
                serial := v_from + v_block.distance;
                room := v_to - v_from;
            end if;
            if free_pieces.room >= p_least and v_sum + free_pieces.room >= p_numbers then
                return next;
                return;
            end if;
            v_from := v_to;
        end loop;
    end loop;
    if free_pieces.room >= p_least then
        return next;
    end if;
end;
$$;
