-- blocks_printed_alike(p_series, p_first, p_last) -> blocks of its space in other formats that print a number
-- of p_first…p_last, though from other serials; ten at most. first, last: its ends as printed
--
-- Only formats of which one begins and ends as the other does are compared, up to a check character. One that
-- has it before the serial is not: its numbers are in no order.
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
    v_head text := p_series.program ->> 'head';
    v_tail text := split_part(reverse(p_series.program ->> 'tail'), '?', 1);
begin
    return query
        select b.block_id, s.name, a.first, gapless.format_number(s.program, a.first),
               gapless.format_number(s.program, b.last_serial)
        from gapless.series s
        join gapless.block b using (series_id)
        cross join lateral (select lower(gapless.assigned_part(b))) a (first)
        cross join lateral (
            select s.program ->> 'head' as head, split_part(reverse(s.program ->> 'tail'), '?', 1) as tail
        ) o
        where s.space = p_series.space and s.program <> p_series.program
          and b.state <> 'withdrawn' and position('?' in v_head || o.head) = 0
          and (starts_with(o.head, v_head) or starts_with(v_head, o.head))
          and (starts_with(o.tail, v_tail) or starts_with(v_tail, o.tail))
          and (a.first > p_last or b.last_serial < p_first)
          and gapless.shared_number(
              p_series.program, p_first, p_last, s.program, a.first, b.last_serial
          ) is not null
        order by a.first
        limit 10;
end;
$$;
