-- same_numbers(p_series, p_firsts, p_lasts) -> blocks of other series that share numbers with these, by place
-- (from 1, 20 at most), in words
--
-- Searches every number space, since a carrier assigns a number to one series only (in its own they are
-- refused: gapless.block_check). Compares series of the same format by serial, others by printed number if
-- that is all digits; the check digit of one may then be part of the serial of the other. Withdrawn blocks
-- have no numbers. Ignores numbers shorter than nine characters: no carrier has such, and they coincide by
-- chance.
create or replace function gapless.same_numbers(p_series gapless.series, p_firsts bigint[], p_lasts bigint[])
returns table (place integer, detail text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
    v_serials int8multirange; -- of numbers of nine characters and more
    v_printed nummultirange;  -- the same as printed, if all digits
begin
    select range_agg(int8range(n.first, n.last, '[]')),
           range_agg(gapless.printed_part(p_series, n.first, n.last))
    into v_serials, v_printed
    from unnest(p_firsts, p_lasts) as n (first, last)
    where n.first <= n.last and n.last < 9223372036854775807
      and length(gapless.format_number(p_series.program, n.last)) >= 9;
    return query
        with held as materialized (
            select h.*
            from (
                -- Uses the index of the constraint blocks_of_a_space_do_not_overlap, which begins with
                -- serials. "offset 0" makes the planner start there, whatever it thinks of the series.
                select s.series, (k.block).block_id, lower(gapless.assigned_part(k.block)) as first,
                       (k.block).last_serial as last
                from (
                    select b
                    from gapless.block b
                    where b.state <> 'withdrawn' and gapless.assigned_part(b) && v_serials
                    offset 0
                ) k (block)
                cross join lateral (
                    select s from gapless.series s where s.series_id = (k.block).series_id offset 0
                ) s (series)
                where (s.series).series_id <> p_series.series_id and (s.series).program = p_series.program
                union all
                -- Compare whole series first: formatting costs more than comparing.
                select o.s, b.block_id, lower(gapless.assigned_part(b)), b.last_serial
                from (
                    select l.s, e.first, e.last
                    from (
                        -- A skip scan of the programs' index: most series share a few programs.
                        with recursive program (program) as (
                            (select s.program from gapless.series s order by s.program limit 1)
                            union all
                            select (
                                       select s.program
                                       from gapless.series s
                                       where s.program > p.program
                                       order by s.program
                                       limit 1
                                   )
                            from program p
                            where p.program is not null
                        )
                        select p.program from program p where p.program <> p_series.program
                    ) p
                    cross join lateral (
                        select s
                        from gapless.series s
                        where s.program = p.program and v_printed is not null
                        offset 0
                    ) l (s)
                    cross join lateral (
                        select min(lower(gapless.assigned_part(b))) as first, max(b.last_serial) as last
                        from gapless.block b
                        where b.series_id = (l.s).series_id and b.state <> 'withdrawn'
                    ) e
                ) o
                join gapless.block b on b.series_id = (o.s).series_id and b.state <> 'withdrawn'
                where case
                      when o.first is not null and gapless.printed_part(o.s, o.first, o.last) && v_printed
                          then gapless.printed_part(
                              o.s, lower(gapless.assigned_part(b)), b.last_serial
                          ) && v_printed
                      end
            ) h
            order by h.block_id
            limit 20
        )
        select n.place::integer,
               format('%s has numbers of block %s…%s',
                   gapless.block_words(
                       h.block_id, (h.series).name, gapless.format_number((h.series).program, h.first),
                       gapless.format_number((h.series).program, h.last)
                   ),
                   gapless.format_number(p_series.program, n.first),
                   gapless.format_number(p_series.program, n.last))
        from held h
        cross join lateral (
            select n.*
            from unnest(p_firsts, p_lasts) with ordinality as n (first, last, place)
            where length(gapless.format_number(p_series.program, n.last)) >= 9
              and case
                  when (h.series).program = p_series.program then n.first <= h.last and h.first <= n.last
                  else gapless.printed_part(p_series, n.first, n.last)
                       && gapless.printed_part(h.series, h.first, h.last)
                  end
            order by n.place
            limit 1
        ) n
        order by n.place;
end;
$$;
