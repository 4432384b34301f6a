-- overlapping_blocks(p_space, p_first, p_last) -> up to ten blocks of the space that share a serial with p_first…p_last
create or replace function gapless.overlapping_blocks(p_space text, p_first bigint, p_last bigint)
returns table (block_id integer, name text, first_serial bigint, last_serial bigint)
language sql
stable
security definer
set search_path = pg_catalog, gapless, pg_temp -- btree_gist's operators for text live in gapless
as $$
    select b.block_id, s.name, b.first_serial, b.last_serial
    from gapless.block b
    join gapless.series s using (series_id)
    where b.space = p_space and int8range(b.first_serial, b.last_serial, '[]') && int8range(p_first, p_last, '[]')
    order by b.first_serial
    limit 10;
$$;
