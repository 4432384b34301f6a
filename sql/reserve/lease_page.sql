-- lease_page(p_series, p_after, p_limit) -> leases, the oldest first
--
-- Of that series (null: of all that the token is for), behind the place p_after (null: from the beginning),
-- p_limit at most (null: all). first, last: its run of count numbers, of which so many are still held, were
-- settled, came back, or were written off and not settled since. overdue: it holds numbers, and may not be
-- drawn on any more. contact: when its instance was heard of last. Needs scope read (GL003, GL004:
-- gapless.require_scope). Raises GL005 unknown-series. Takes no lock.
create or replace function gapless.lease_page(
    p_series text default null, p_after bigint default null, p_limit integer default 100
)
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
declare
    v_series text[];
begin
    perform gapless.require_scope('read', p_series, session_user::text);
    v_series := (gapless.acting_token()).series;
    if p_series is not null then
        perform gapless.series_id_of(p_series);
        v_series := array[p_series];
    end if;
    return query select * from gapless.lease_rows(v_series, null, p_after, p_limit);
end;
$$;
