-- void_free_of_expired_blocks(p_series_id, p_moment) -> how many free numbers it voided because their block
-- is past its valid_until at that moment
--
-- For blocks that were used up before they expired: closing a block that has numbers left does the same. The
-- caller must have locked the counter.
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
