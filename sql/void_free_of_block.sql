-- void_free_of_block(p_series_id, p_block_id, p_reason, p_actor) -> how many they were
--
-- Voids the numbers of a block that came back and wait to go out again. Expects the counter to be locked, and the block to be closed or expired.
create or replace function gapless.void_free_of_block(p_series_id integer, p_block_id integer, p_reason text, p_actor text) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_free int8multirange;
begin
    select range_agg(s.numbers * int8multirange(int8range(b.first_ordinal, b.first_ordinal + b.used))) into v_free
    from (
        select b.first_ordinal, coalesce(b.closed_serial, b.last_serial + 1) - b.first_serial as used
        from gapless.block b
        where b.series_id = p_series_id and b.block_id = p_block_id
    ) b
    join gapless.number_state s on s.series_id = p_series_id and s.state = 'free'
        and s.chunk between b.first_ordinal / 4096 and (b.first_ordinal + b.used) / 4096;
    if v_free is null or isempty(v_free) then
        return 0;
    end if;
    perform gapless.change_state(p_series_id, v_free, array['free'], 'voided');
    perform gapless.record_event(p_series_id, 'voided', v_free, p_actor, p_reason);
    update gapless.counter c set waiting = c.waiting - gapless.size_of(v_free) where c.series_id = p_series_id;
    return gapless.size_of(v_free);
end;
$$;
