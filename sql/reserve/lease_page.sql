-- lease_page(p_series, p_after, p_limit) -> leases, oldest first
--
-- Of that series (null: of all that the token may access), after the place p_after (null: from the start), at
-- most p_limit (null: all). first, last: the ends of its run of count numbers; held, settled, returned,
-- written_off (and not settled since): how many of these are. overdue: it still holds numbers, but may not be
-- drawn on any more. contact: when its instance was last heard of. Needs scope read (GL003, GL004:
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
