-- void_free(p_series_id, p_numbers, p_reason, p_actor) -> how many were voided; null or empty: none
--
-- Voids free numbers. Raises GL014 for numbers that are not free. The caller must have locked the counter.
-- Locks the tally.
create or replace function gapless.void_free(
    p_series_id integer, p_numbers int8multirange, p_reason text, p_actor text
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if coalesce(isempty(p_numbers), true) then
        return 0;
    end if;
    perform gapless.change_state(
        p_series_id => p_series_id, p_numbers => p_numbers, p_from => array['free'], p_to => 'voided'
    );
    perform gapless.record_event(
        p_series_id => p_series_id, p_kind => 'voided', p_numbers => p_numbers, p_actor => p_actor,
        p_reason => p_reason
    );
    update gapless.counter c set waiting = c.waiting - gapless.size_of(p_numbers)
    where c.series_id = p_series_id;
    return gapless.size_of(p_numbers);
end;
$$;
