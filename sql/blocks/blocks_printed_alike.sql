-- blocks_printed_alike(p_series, p_first, p_last) -> blocks of its space in other formats that print a number
-- of p_first…p_last, though from other serials; ten at most. first, last: its ends as printed
--
-- Only formats of which one begins and ends as the other does are compared, up to a check character. If it
-- stands before the serial, it counts as every character that it may be: nothing is missed, but a block may
-- be refused that only resembles the other.
create or replace function gapless.blocks_printed_alike(
    p_series gapless.series, p_first bigint, p_last bigint
)
returns table (block_id integer, name text, first_serial bigint, first text, last text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
    v_head text := split_part(p_series.program ->> 'head', '?', 1);
    v_tail text := split_part(reverse(p_series.program ->> 'tail'), '?', 1);
begin
    return query
        select b.block_id, s.name, a.first, gapless.format_number(s.program, a.first),
               gapless.format_number(s.program, b.last_serial)
        from gapless.series s
        join gapless.block b using (series_id)
        cross join lateral (select lower(gapless.assigned_part(b))) a (first)
        cross join lateral (
            select split_part(s.program ->> 'head', '?', 1) as head,
                   split_part(reverse(s.program ->> 'tail'), '?', 1) as tail
        ) o
        where s.space = p_series.space and s.program <> p_series.program
          and b.state <> 'withdrawn'
          and (starts_with(o.head, v_head) or starts_with(v_head, o.head))
          and (starts_with(o.tail, v_tail) or starts_with(v_tail, o.tail))
          and (a.first > p_last or b.last_serial < p_first)
          and exists (
              select from gapless.programs_in_order(p_series.program) mine,
                          gapless.programs_in_order(s.program) others
              where gapless.shared_number(mine, p_first, p_last, others, a.first, b.last_serial) is not null
          )
        order by a.first
        limit 10;
end;
$$;
