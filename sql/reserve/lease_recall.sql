-- lease_recall(p_lease, p_actor) -> how many leases are recalled now: 1, or 0 of one that was before, or that
-- is closed
--
-- Its instance draws on it no more as soon as it hears of it, settles and returns it; one that is cut off
-- goes on, at the latest until draw_until. Raises GL008 for an unknown lease. Needs scope admin (GL003,
-- GL004: gapless.require_scope). Writes one audit row. Locks the lease.
create or replace function gapless.lease_recall(p_lease uuid, p_actor text) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
begin
    select l.series_id into v_series_id from gapless.lease l where l.lease = p_lease;
    p_actor := gapless.require_scope('admin', gapless.series_name(v_series_id), p_actor);
    if v_series_id is null then
        raise exception 'there is no lease %', p_lease using errcode = 'GL008';
    end if;
    return gapless.leases_recall(v_series_id, p_lease, p_actor);
end;
$$;
