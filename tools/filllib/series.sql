-- Many series with a block of 100,000 numbers each, of 100 carriers, as tools/fill --numbers 0 makes them: what gapless.series_create and
-- block_load do for one at a time is done for thousands in one transaction here, through the same constraints and triggers. Without their
-- audit rows.

-- add_series(p_count) -> nothing; the series wide-000001 to wide-p_count that are not there yet
create procedure pg_temp.add_series(p_count integer)
language plpgsql
as $$
declare
    v_step constant integer := 5000;
    v_from integer;
begin
    insert into gapless.carrier (code) select 'wide-' || n from generate_series(0, 99) as n on conflict do nothing;
    for v_from in select generate_series(1, p_count, v_step) loop
        create temp table new_series on commit drop as
            select n, 'wide-' || lpad(n::text, 6, '0') as name, 'wide-' || n % 100 as carrier
            from generate_series(v_from, least(v_from + v_step - 1, p_count)) as n
            where not exists (select from gapless.series s where s.name = 'wide-' || lpad(n::text, 6, '0'));
        insert into gapless.series (name, carrier, space, low_water, program)
        select w.name, w.carrier, w.carrier, 100, '{"head":"","tail":"","width_min":1,"width_max":19,"base":10,"check":null}'
        from new_series w
        order by w.n;
        insert into gapless.counter (series_id, epoch)
        select s.series_id, (select max(e.epoch) from gapless.epoch e) from new_series w join gapless.series s using (name) order by w.n;
        insert into gapless.tally (series_id) select s.series_id from new_series w join gapless.series s using (name) order by w.n;
        insert into gapless.block (series_id, space, first_serial, last_serial, position, reference, loaded_by)
        select s.series_id, s.space, w.n * 100000::bigint, w.n * 100000::bigint + 99999, 1, 'letter ' || w.n, 'fill'
        from new_series w
        join gapless.series s using (name)
        order by w.n;
        commit;
    end loop;
end;
$$;
