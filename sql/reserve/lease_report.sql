-- lease_report(p_lease) -> that lease, as gapless.lease_page shows it; no row if it does not exist, or the
-- token may not access its series
--
-- Needs scope read (GL003, GL004: gapless.require_scope). Takes no lock.
create or replace function gapless.lease_report(p_lease uuid)
returns table (
    lease uuid, series text, instance uuid, host text, status text, contact timestamptz,
    granted_at timestamptz, draw_until timestamptz, first text, last text, count bigint, held bigint,
    settled bigint, returned bigint, written_off bigint, overdue boolean, place bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.require_scope('read', null, session_user::text);
    return query
        select * from gapless.lease_rows((gapless.acting_token()).series, p_lease, null, 1);
end;
$$;
