-- void_free_of_expired_blocks(p_series_id, p_moment) -> how many numbers that came back will not go out
-- again, as their block is past its valid_until at that moment
--
-- For blocks that were used up before: those with a rest are closed, which does the same. Expects the counter
-- to be locked.
create or replace function gapless.void_free_of_expired_blocks(p_series_id integer, p_moment timestamptz)
returns bigint
language sql
set search_path = pg_catalog, pg_temp
as $$
    with expired as materialized (
        select e.block_id from gapless.expired_blocks_waiting(p_series_id, p_moment) e
    )
    select coalesce(
        sum(
            gapless.void_free_of_block(
                p_series_id => p_series_id, p_block_id => e.block_id, p_reason => 'expired',
                p_actor => 'gapless'
            )
        ),
        0
    )::bigint
    from expired e;
$$;
