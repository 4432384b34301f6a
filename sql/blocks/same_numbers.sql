-- same_numbers(p_series, p_firsts, p_lasts) -> blocks of other series that hold numbers of these, by place
-- (from 1, 20 at most), in words
--
-- Of every number space: what a carrier assigned once is one series' alone. Series of one format are
-- compared by serial. Those of other formats by what is printed, where that is digits: a number may then
-- hold the check digit of one, and the serial of the other. Withdrawn blocks hold no numbers. Numbers of
-- less than nine characters are no carrier's, and the same by chance: nothing is said of them.
create or replace function gapless.same_numbers(p_series gapless.series, p_firsts bigint[], p_lasts bigint[])
returns table (place integer, detail text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
#variable_conflict use_column
declare
    v_serials int8multirange;
    v_printed nummultirange;
begin
    select range_agg(int8range(n.first, n.last, '[]')),
           range_agg(gapless.printed_part(p_series, n.first, n.last))
    into v_serials, v_printed
    from unnest(p_firsts, p_lasts) as n (first, last)
    where n.first <= n.last and n.last < 9223372036854775807
      and length(gapless.format_number(p_series.program, n.last)) >= 9;
    if v_serials is null then
        return;
    end if;
    return query
        with held as materialized (
            select h.*
            from (
                -- By the index of the constraint blocks_of_a_space_do_not_overlap, which begins with serials.
                select s as series, b.block_id, lower(gapless.assigned_part(b)) as first,
                       b.last_serial as last
                from gapless.block b
                join gapless.series s using (series_id)
                where b.state <> 'withdrawn' and gapless.assigned_part(b) && v_serials
                  and s.series_id <> p_series.series_id and s.program = p_series.program
                union all
                -- Whole series first: printing costs more than comparing.
                select o.s, b.block_id, lower(gapless.assigned_part(b)), b.last_serial
                from (
                    select s, e.first, e.last
                    from gapless.series s
                    cross join lateral (
                        select min(lower(gapless.assigned_part(b))) as first, max(b.last_serial) as last
                        from gapless.block b
                        where b.series_id = s.series_id and b.state <> 'withdrawn'
                    ) e
                    where s.series_id <> p_series.series_id and s.program <> p_series.program
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
               format('block %s of series %L (%s…%s) has numbers of block %s…%s', h.block_id,
                   (h.series).name, gapless.format_number((h.series).program, h.first),
                   gapless.format_number((h.series).program, h.last),
                   gapless.format_number(p_series.program, n.first),
                   gapless.format_number(p_series.program, n.last))
        from held h
        cross join lateral (
            select n.*
            from unnest(p_firsts, p_lasts) with ordinality as n (first, last, place)
            where case
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
