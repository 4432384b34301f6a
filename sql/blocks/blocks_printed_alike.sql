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
        from (
            select distinct s.program
            from gapless.series s
            cross join lateral (
                select split_part(s.program ->> 'head', '?', 1) as head,
                       split_part(reverse(s.program ->> 'tail'), '?', 1) as tail
            ) o
            where s.space = p_series.space and s.program <> p_series.program
              and (starts_with(o.head, v_head) or starts_with(v_head, o.head))
              and (starts_with(o.tail, v_tail) or starts_with(v_tail, o.tail))
        ) p
        cross join lateral (
            -- The serials whose numbers may be among those of p_first…p_last, so that the index finds the few
            -- blocks to compare.
            select range_agg(int8range(r.first, coalesce(r.last, m.serial_max), '[]')) as serials
            from (
                select least(
                           power((p.program ->> 'base')::numeric, (p.program ->> 'width_max')::numeric) - 1,
                           9223372036854775806
                       )::bigint as serial_max
            ) m
            cross join gapless.programs_in_order(p_series.program) mine
            cross join gapless.programs_in_order(p.program) others
            cross join lateral (
                select gapless.serial_from(others, 0, m.serial_max, gapless.format_number(mine, p_first)),
                       gapless.serial_from(others, 0, m.serial_max, gapless.format_number(mine, p_last))
            ) r (first, last)
            where r.first is not null
        ) r
        cross join lateral (
            select *
            from gapless.block b
            where b.space = p_series.space and b.state <> 'withdrawn'
              and gapless.assigned_part(b) && r.serials
            offset 0 -- the planner would rather read all blocks of the series
        ) b
        join gapless.series s on s.series_id = b.series_id and s.program = p.program
        cross join lateral (select coalesce(b.assigned_serial, b.first_serial)) a (first)
        where (a.first > p_last or b.last_serial < p_first)
          and gapless.prints_same(p_series.program, p_first, p_last, s.program, a.first, b.last_serial)
        order by a.first
        limit 10;
end;
$$;
