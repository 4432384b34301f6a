-- require_state(p_series_id, p_numbers, p_states, p_to) -> p_numbers
--
-- Changes nothing; raises GL014 naming the first number that is in none of p_states (stored states only, not
-- 'issued'). Locks the series' tally row.
create or replace function gapless.require_state(
    p_series_id integer, p_numbers int8multirange, p_states text[], p_to text
)
returns int8multirange
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_found int8multirange;
    v_first bigint;
begin
    perform from gapless.tally t where t.series_id = p_series_id for update;
    select coalesce(range_agg(r), '{}') into v_found
    from gapless.number_state s
    cross join lateral unnest(s.numbers * p_numbers) as r
    where s.series_id = p_series_id and s.state = any (p_states)
      and s.chunk between gapless.chunk_of(lower(p_numbers)) and gapless.chunk_of(upper(p_numbers) - 1);
    if not p_numbers <@ v_found then
        v_first := lower(p_numbers - v_found);
        perform gapless.refuse_state(
            p_series_id => p_series_id, p_ordinal => v_first,
            p_state => gapless.state_at(p_series_id, v_first), p_to => p_to
        );
    end if;
    return p_numbers;
end;
$$;
