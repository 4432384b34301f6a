-- lease_recall(p_lease, p_actor) -> how many leases it recalled: 1, or 0 if the lease was recalled before or
-- is closed
--
-- As soon as the instance hears of it, it stops drawing on the lease, settles and returns it; an instance
-- that is cut off goes on until draw_until at the latest. Raises GL008 for an unknown lease. Needs scope
-- admin (GL003, GL004: gapless.require_scope). Writes one audit row. Locks the lease.
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
