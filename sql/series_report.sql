-- series_report(p_name) -> one row per series, by name; null for all
--
-- What is fixed, what is set, and where the series stands. remaining counts what is left of the open block and all
-- queued ones; next is the serial that leaves next, null when none is left. Takes no lock.
create or replace function gapless.series_report(p_name text default null)
returns table (
    series_id integer, name text, carrier text, space text, format text, params jsonb, on_release text, on_expiry text,
    low_water bigint, paused boolean, version integer, issued bigint, remaining numeric, next bigint, blocks bigint
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.series_id, s.name, s.carrier, s.space, s.format, s.params, s.on_release, s.on_expiry,
           s.low_water, c.paused, s.version, c.next_ordinal - 1,
           coalesce(c.last_serial - c.next_serial + 1, 0) + coalesce(q.numbers, 0),
           case when c.next_serial <= c.last_serial then c.next_serial else q.first_serial end,
           (select count(*) from gapless.block b where b.series_id = s.series_id)
    from gapless.series s
    join gapless.counter c using (series_id)
    left join lateral (
        select sum(b.last_serial - b.first_serial + 1) as numbers,
               (array_agg(b.first_serial order by b.position))[1] as first_serial
        from gapless.block b
        where b.series_id = s.series_id and b.state = 'queued'
    ) q on true
    where p_name is null or s.name = p_name
    order by s.name;
$$;
