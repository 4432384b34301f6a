-- lease_free(p_lease, p_numbers, p_actor) -> nothing; makes these numbers of a lease free
--
-- Held numbers are recorded as released from the hold, written-off ones as found. The caller must hold the
-- locks of gapless.lease_lock; p_numbers must be held or written off.
create or replace function gapless.lease_free(
    p_lease gapless.lease, p_numbers int8multirange, p_actor text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_held  int8multirange;
    v_found int8multirange;
begin
    select h.held * p_numbers into strict v_held
    from gapless.hold h
    where h.series_id = p_lease.series_id and h.turn = p_lease.turn and h.ordinal = p_lease.ordinal;
    v_found := p_numbers - v_held;
    if not isempty(v_held) then
        update gapless.hold h set held = h.held - v_held, released = h.released + v_held
        where h.series_id = p_lease.series_id and h.turn = p_lease.turn and h.ordinal = p_lease.ordinal;
        perform gapless.record_event(
            p_series_id => p_lease.series_id, p_kind => 'released', p_numbers => v_held, p_actor => p_actor,
            p_reason => null
        );
    end if;
    if not isempty(v_found) then
        update gapless.lease l set written_off = l.written_off - v_found where l.lease = p_lease.lease;
        perform gapless.record_event(
            p_series_id => p_lease.series_id, p_kind => 'found', p_numbers => v_found, p_actor => p_actor,
            p_reason => null
        );
    end if;
    perform gapless.change_state(
        p_series_id => p_lease.series_id, p_numbers => p_numbers, p_from => array['held', 'voided'],
        p_to => 'free'
    );
    update gapless.counter c set waiting = c.waiting + gapless.size_of(p_numbers)
    where c.series_id = p_lease.series_id;
end;
$$;
