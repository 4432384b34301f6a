-- void_free_of_block(p_series_id, p_block_id, p_reason, p_actor) -> how many were voided
--
-- Voids the free numbers of a block. The caller must have locked the counter; the block must be closed or
-- expired.
create or replace function gapless.void_free_of_block(
    p_series_id integer, p_block_id integer, p_reason text, p_actor text
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_free int8multirange;
begin
    select range_agg(s.numbers * int8multirange(u.ordinals)) into v_free
    from gapless.block b
    cross join lateral gapless.used_part(b) u
    join gapless.number_state s on s.series_id = b.series_id and s.state = 'free'
        and s.chunk between gapless.chunk_of(lower(u.ordinals)) and gapless.chunk_of(upper(u.ordinals))
    where b.series_id = p_series_id and b.block_id = p_block_id;
    return gapless.void_free(
        p_series_id => p_series_id, p_numbers => v_free, p_reason => p_reason, p_actor => p_actor);
end;
$$;
