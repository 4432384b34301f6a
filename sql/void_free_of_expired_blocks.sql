-- void_free_of_expired_blocks(p_series_id) -> how many numbers that came back will not go out again, as their block is past its valid_until
--
-- For blocks that were used up before: those with a rest are closed, which does the same. Expects the counter to be locked.
create or replace function gapless.void_free_of_expired_blocks(p_series_id integer) returns bigint
language sql
set search_path = pg_catalog, pg_temp
as $$
    with expired as materialized (
        select b.block_id
        from gapless.block b
        where b.series_id = p_series_id and b.valid_until < now() and b.first_ordinal is not null
    )
    select coalesce(sum(gapless.void_free_of_block(p_series_id, e.block_id, 'expired', 'gapless')), 0)::bigint from expired e;
$$;
