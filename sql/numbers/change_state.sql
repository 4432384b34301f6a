-- change_state(p_series_id, p_numbers, p_from, p_to) -> the numbers that changed
--
-- Moves a set of ordinals into a state: p_to is 'free', 'held', 'printed', 'voided', 'manifested',
-- 'returned', or 'issued' for the common state without an entry. Numbers already in that state stay. Every
-- other number must be in one of the states p_from, else raises GL014 naming the first that is not. Updates
-- the tally. Ordinals must be below the counter's next. Locks the series' tally row until COMMIT: changes of
-- state of one series queue up there, issuing does not.
create or replace function gapless.change_state(
    p_series_id integer, p_numbers int8multirange, p_from text[], p_to text
)
returns int8multirange
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_chunk   record;
    v_state   record;
    v_rest    int8multirange; -- the chunk's numbers not found in another state so far: issued
    v_moving  int8multirange;
    v_part    int8multirange;
    v_changed int8multirange[] := '{}'; -- per chunk: adding to one large set each time would be slow
    v_states  constant text[] := array['free', 'held', 'printed', 'voided', 'manifested', 'returned'];
    -- the change of each state's count; written once, because a row that is updated often is slow to find
    v_tally   bigint[] := array[0, 0, 0, 0, 0, 0];
    v_place   integer;
begin
    perform from gapless.tally t where t.series_id = p_series_id for update;

    for v_chunk in
        select c.chunk, c.numbers from gapless.chunks_of(p_numbers) c order by c.chunk
    loop
        v_rest := v_chunk.numbers;
        v_moving := '{}';
        for v_state in
            select s.state, s.numbers
            from gapless.number_state s
            where s.series_id = p_series_id and s.chunk = v_chunk.chunk and s.numbers && v_chunk.numbers
        loop
            v_part := v_state.numbers * v_chunk.numbers;
            v_rest := v_rest - v_part;
            if v_state.state = p_to then
                continue;
            end if;
            if not v_state.state = any (p_from) then
                perform gapless.refuse_state(
                    p_series_id => p_series_id, p_ordinal => lower(v_part), p_state => v_state.state,
                    p_to => p_to
                );
            end if;
            v_moving := v_moving + v_part;
            perform gapless.adjust_state(
                p_series_id => p_series_id, p_chunk => v_chunk.chunk, p_state => v_state.state,
                p_numbers => v_part, p_add => false
            );
            v_place := array_position(v_states, v_state.state);
            v_tally[v_place] := v_tally[v_place] - gapless.size_of(v_part);
        end loop;
        if p_to <> 'issued' and not isempty(v_rest) then
            if not 'issued' = any (p_from) then
                perform gapless.refuse_state(
                    p_series_id => p_series_id, p_ordinal => lower(v_rest), p_state => 'issued', p_to => p_to
                );
            end if;
            v_moving := v_moving + v_rest;
        end if;
        if p_to <> 'issued' and not isempty(v_moving) then
            perform gapless.adjust_state(
                p_series_id => p_series_id, p_chunk => v_chunk.chunk, p_state => p_to, p_numbers => v_moving,
                p_add => true
            );
            v_place := array_position(v_states, p_to);
            v_tally[v_place] := v_tally[v_place] + gapless.size_of(v_moving);
        end if;
        v_changed := v_changed || v_moving;
    end loop;

    update gapless.tally t
    set free = t.free + v_tally[1], held = t.held + v_tally[2], printed = t.printed + v_tally[3],
        voided = t.voided + v_tally[4], manifested = t.manifested + v_tally[5],
        returned = t.returned + v_tally[6]
    where t.series_id = p_series_id and 0 <> any (v_tally);
    return coalesce((select range_agg(c) from unnest(v_changed) as c), '{}');
end;
$$;
