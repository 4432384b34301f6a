-- lease_lock(p_lease, p_series_id) -> the ordinals of a lease that are held or written off
--
-- Locks what every change of a lease's numbers must lock, in this order: counter, tally, lease, hold. Raises
-- GL008 for an unknown lease.
create or replace function gapless.lease_lock(p_lease uuid, p_series_id integer) returns int8multirange
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lease gapless.lease;
    v_held  int8multirange;
begin
    if p_series_id is null then
        raise exception 'there is no lease %', p_lease using errcode = 'GL008';
    end if;
    perform from gapless.counter c where c.series_id = p_series_id for update;
    perform from gapless.tally t where t.series_id = p_series_id for update;
    select * into v_lease from gapless.lease l where l.lease = p_lease for update;
    select h.held into strict v_held
    from gapless.hold h
    where h.series_id = v_lease.series_id and h.turn = v_lease.turn and h.ordinal = v_lease.ordinal
    for update;
    return v_held + v_lease.written_off;
end;
$$;
