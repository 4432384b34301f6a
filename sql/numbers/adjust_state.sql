-- adjust_state(p_series_id, p_chunk, p_state, p_numbers, p_add) -> nothing
--
-- Adds ordinals of one chunk to a state or removes them; deletes a set that becomes empty, so that past
-- states do not slow a series down. The caller must have locked the tally row, and updates its counts.
create or replace function gapless.adjust_state(
    p_series_id integer, p_chunk bigint, p_state text, p_numbers int8multirange, p_add boolean
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_arrived bigint;
begin
    if p_add then
        insert into gapless.number_state as s (series_id, chunk, state, numbers)
        values (p_series_id, p_chunk, p_state, p_numbers)
        on conflict (series_id, chunk, state) do update set numbers = s.numbers + excluded.numbers;
    else
        delete from gapless.number_state s
        where s.series_id = p_series_id and s.chunk = p_chunk and s.state = p_state
          and s.numbers <@ p_numbers;
        if not found then
            update gapless.number_state s
            set numbers = s.numbers - p_numbers
            where s.series_id = p_series_id and s.chunk = p_chunk and s.state = p_state;
        end if;
    end if;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'number_state');
end;
$$;
