-- ordinals_of_closed_blocks(p_series_id) -> the ordinals that left from blocks which are closed now
create or replace function gapless.ordinals_of_closed_blocks(p_series_id integer) returns int8multirange
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(range_agg(int8range(b.first_ordinal, b.first_ordinal + b.closed_serial - b.first_serial)), '{}')
    from gapless.block b
    where b.series_id = p_series_id and b.state = 'closed' and b.first_ordinal is not null;
$$;
