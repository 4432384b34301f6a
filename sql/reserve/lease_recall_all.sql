-- lease_recall_all(p_series, p_actor) -> how many leases it recalled, of that series or (null) of all
--
-- Does what gapless.lease_recall does, for every open lease. Raises GL005 unknown-series. Needs scope admin,
-- and for all series a token for every series (GL003, GL004: gapless.require_scope, gapless.require_reach).
-- Locks the leases.
create or replace function gapless.lease_recall_all(p_series text, p_actor text) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    p_actor := gapless.require_scope('admin', p_series, p_actor);
    if p_series is null then
        perform gapless.require_reach(null, null);
        return gapless.leases_recall(null, null, p_actor);
    end if;
    return gapless.leases_recall(gapless.series_id_of(p_series), null, p_actor);
end;
$$;
