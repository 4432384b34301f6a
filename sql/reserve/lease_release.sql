-- lease_release(p_lease, p_actor, p_reason) -> the ordinals that the lease held; it holds nothing any more
--
-- The caller changes their state, and must hold the locks of gapless.lease_lock.
create or replace function gapless.lease_release(p_lease gapless.lease, p_actor text, p_reason text)
returns int8multirange
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_held int8multirange;
begin
    select h.held into strict v_held
    from gapless.hold h
    where h.series_id = p_lease.series_id and h.turn = p_lease.turn and h.ordinal = p_lease.ordinal;
    if not isempty(v_held) then
        update gapless.hold h set held = '{}', released = h.released + v_held
        where h.series_id = p_lease.series_id and h.turn = p_lease.turn and h.ordinal = p_lease.ordinal;
        perform gapless.record_event(
            p_series_id => p_lease.series_id, p_kind => 'released', p_numbers => v_held, p_actor => p_actor,
            p_reason => p_reason
        );
    end if;
    return v_held;
end;
$$;
