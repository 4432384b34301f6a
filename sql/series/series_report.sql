-- series_report(p_name) -> one row per series, by name; null for all: gapless.series_reports
create or replace function gapless.series_report(p_name text default null)
returns table (
    series_id integer, name text, carrier text, space text, format text, params jsonb, on_release text,
    on_expiry text, low_water bigint, reuse_after interval, paused boolean, paused_reason text,
    paused_by text, paused_at timestamptz, version integer, issued bigint, remaining numeric, next bigint,
    blocks bigint, free bigint, held bigint, printed bigint, voided numeric, manifested bigint,
    returned bigint, plain bigint, lead_days integer, today date, used_days bigint[], used_today bigint,
    reserve_numbers bigint, on_lease bigint, overdue bigint
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select * from gapless.series_reports(case when p_name is not null then array[p_name] end);
$$;
