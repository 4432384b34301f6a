-- adjust_state(p_series_id, p_chunk, p_state, p_numbers, p_add) -> nothing
--
-- Adds ordinals of one chunk to a state or takes them out, and keeps the tally. Expects the tally row to be locked.
create or replace function gapless.adjust_state(
    p_series_id integer, p_chunk bigint, p_state text, p_numbers int8multirange, p_add boolean
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_change bigint := gapless.size_of(p_numbers) * case when p_add then 1 else -1 end;
begin
    if p_add then
        insert into gapless.number_state as s (series_id, chunk, state, numbers)
        values (p_series_id, p_chunk, p_state, p_numbers)
        on conflict (series_id, chunk, state) do update set numbers = s.numbers + excluded.numbers;
    else
        update gapless.number_state s
        set numbers = s.numbers - p_numbers
        where s.series_id = p_series_id and s.chunk = p_chunk and s.state = p_state;
    end if;

    update gapless.tally t
    set free = t.free + case p_state when 'free' then v_change else 0 end,
        held = t.held + case p_state when 'held' then v_change else 0 end,
        printed = t.printed + case p_state when 'printed' then v_change else 0 end,
        voided = t.voided + case p_state when 'voided' then v_change else 0 end,
        manifested = t.manifested + case p_state when 'manifested' then v_change else 0 end,
        returned = t.returned + case p_state when 'returned' then v_change else 0 end
    where t.series_id = p_series_id;
end;
$$;
