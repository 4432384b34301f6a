-- free_pieces(p_series_id) -> numbers that came back, as runs within one block, lowest ordinal first
create or replace function gapless.free_pieces(p_series_id integer)
returns table (block_id integer, ordinal bigint, serial bigint, room bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with free as (
        select unnest(range_agg(r)) as run
        from gapless.number_state s
        cross join lateral unnest(s.numbers) as r
        where s.series_id = p_series_id and s.state = 'free'
    )
    select b.block_id, lower(f.run * b.used), b.first_serial + lower(f.run * b.used) - b.first_ordinal, upper(f.run * b.used) - lower(f.run * b.used)
    from free f
    join (
        select b.block_id, b.first_serial, b.first_ordinal, int8range(b.first_ordinal, b.first_ordinal + n.next_serial - b.first_serial) as used
        from gapless.block b
        join gapless.counter c using (series_id)
        cross join lateral (
            select case b.state when 'open' then c.next_serial when 'exhausted' then b.last_serial + 1 else b.closed_serial end as next_serial
        ) n
        where b.series_id = p_series_id and b.first_ordinal is not null
    ) b on b.used && f.run
    order by 2;
$$;
