-- block_close(p_block_id, p_reason, p_actor) -> how many numbers will never be issued
--
-- Ends a queued or open block, recording the reason; its remaining numbers are never issued. Raises and locks
-- what gapless.block_end does. Needs scope load (GL003, GL004: gapless.require_scope).
create or replace function gapless.block_close(p_block_id integer, p_reason text, p_actor text) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
begin
    select b.series_id into v_series_id from gapless.block b where b.block_id = p_block_id;
    p_actor := gapless.require_scope('load', gapless.series_name(v_series_id), p_actor);
    return gapless.block_end(p_block_id, p_reason, p_actor);
end;
$$;
