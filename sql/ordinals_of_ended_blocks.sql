-- ordinals_of_ended_blocks(p_series_id) -> the ordinals of blocks from which nothing may leave any more: closed, or past their valid_until
create or replace function gapless.ordinals_of_ended_blocks(p_series_id integer) returns int8multirange
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(range_agg(int8range(b.first_ordinal, b.first_ordinal + (coalesce(b.closed_serial, b.last_serial + 1) - b.first_serial))), '{}')
    from gapless.block b
    where b.series_id = p_series_id and b.first_ordinal is not null and (b.state = 'closed' or b.valid_until < now());
$$;
