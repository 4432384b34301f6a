-- ordinals_of(p_series_id, p_firsts, p_lasts) -> the set of ordinals of these runs of serials
--
-- A run may go on in the next block; if numbers were loaded again, block_of says which block counts. Raises
-- GL006 unknown-number for numbers that are in no block, GL014 for a run with numbers not issued yet (naming
-- the first), GL017 for a run that does not run upwards.
create or replace function gapless.ordinals_of(p_series_id integer, p_firsts bigint[], p_lasts bigint[])
returns int8multirange
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_program jsonb;
    v_run     record;
    v_next    bigint; -- from here on the run was not looked up yet
    v_part    record; -- what one block has of it; nulls: none has v_next
    v_ranges  int8range[] := '{}';
begin
    for v_run in select n.first, n.last from unnest(p_firsts, p_lasts) as n (first, last) loop
        v_next := v_run.first;
        loop
            select b.first_serial, b.state, u.next_serial,
                   least(b.last_serial, v_run.last, h.first - 1, u.next_serial - 1) as last,
                   b.first_ordinal - b.first_serial as distance
            into v_part
            from gapless.block_of(p_series_id, v_next) b
            join gapless.counter c using (series_id)
            cross join lateral gapless.used_part(b, c.next_serial) u
            cross join lateral (
                -- where a later cycle begins
                select min(f.first) as first
                from generate_series(
                    b.cycle + 1,
                    (select max(m.cycle) from gapless.block m
                     where m.series_id = p_series_id and m.state <> 'withdrawn')
                ) as e (cycle)
                cross join lateral (
                    select coalesce(n.assigned_serial, n.first_serial) as first
                    from gapless.block n
                    where n.series_id = p_series_id and n.cycle = e.cycle and n.state <> 'withdrawn'
                      and coalesce(n.assigned_serial, n.first_serial) > v_next
                    order by coalesce(n.assigned_serial, n.first_serial)
                    limit 1
                ) f
            ) h;
            if v_run.first <= v_run.last
               and v_next >= v_part.first_serial and v_next < v_part.next_serial
            then
                v_ranges := v_ranges
                    || int8range(v_next + v_part.distance, v_part.last + v_part.distance, '[]');
                exit when v_part.last = v_run.last;
                v_next := v_part.last + 1;
                continue;
            end if;
            select s.program into v_program from gapless.series s where s.series_id = p_series_id;
            if v_run.first > v_run.last then
                raise exception 'range %…% does not run upwards',
                    gapless.format_number(v_program, v_run.first),
                    gapless.format_number(v_program, v_run.last)
                    using errcode = 'GL017';
            elsif v_part.first_serial is null then
                raise exception 'number % is in no block', gapless.format_number(v_program, v_next)
                    using errcode = 'GL006';
            elsif v_next < v_part.first_serial then
                raise exception 'number % was issued elsewhere, before its block was loaded',
                    gapless.format_number(v_program, v_next)
                    using errcode = 'GL014';
            elsif v_part.state = 'closed' then
                raise exception 'number % is voided with its block: it is issued to nobody',
                    gapless.format_number(v_program, v_next)
                    using errcode = 'GL014';
            end if;
            raise exception 'number % is free: it is issued to nobody',
                gapless.format_number(v_program, v_next)
                using errcode = 'GL014';
        end loop;
    end loop;
    return coalesce((select range_agg(r) from unnest(v_ranges) as r), '{}');
end;
$$;
