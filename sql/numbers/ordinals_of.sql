-- ordinals_of(p_series_id, p_firsts, p_lasts) -> the set of ordinals of these runs of serials
--
-- Each run lies in one block; if numbers were loaded again, the latest cycle counts. Raises GL006
-- unknown-number for a run that no block holds, GL014 for a run with numbers not issued yet (naming the
-- first), GL017 for a run that does not run upwards.
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
    v_ranges  int8range[] := '{}';
begin
    for v_run in
        select n.first, n.last, b.block_id, b.first_serial, b.next_serial,
               b.first_ordinal + (n.first - b.first_serial) as ordinal
        from unnest(p_firsts, p_lasts) as n (first, last)
        left join lateral (
            select b.block_id, b.first_serial, b.first_ordinal, u.next_serial
            from gapless.block_of(p_series_id, n.first, n.last) b
            join gapless.counter c using (series_id)
            cross join lateral gapless.used_part(b, c.next_serial) u
        ) b on true
    loop
        if v_run.block_id is null or v_run.first < v_run.first_serial or v_run.last >= v_run.next_serial
           or v_run.first > v_run.last
        then
            select s.program into v_program from gapless.series s where s.series_id = p_series_id;
            if v_run.first > v_run.last then
                raise exception 'range %…% does not run upwards',
                    gapless.format_number(v_program, v_run.first),
                    gapless.format_number(v_program, v_run.last)
                    using errcode = 'GL017';
            elsif v_run.block_id is null then
                raise exception 'numbers %…% are in no block', gapless.format_number(v_program, v_run.first),
                    gapless.format_number(v_program, v_run.last)
                    using errcode = 'GL006';
            elsif v_run.first < v_run.first_serial then
                raise exception 'number % was issued elsewhere, before its block was loaded',
                    gapless.format_number(v_program, v_run.first)
                    using errcode = 'GL014';
            end if;
            raise exception 'number % is free: it is issued to nobody',
                gapless.format_number(v_program, greatest(v_run.first, v_run.next_serial))
                using errcode = 'GL014';
        end if;
        v_ranges := v_ranges || int8range(v_run.ordinal, v_run.ordinal + (v_run.last - v_run.first), '[]');
    end loop;
    return coalesce((select range_agg(r) from unnest(v_ranges) as r), '{}');
end;
$$;
