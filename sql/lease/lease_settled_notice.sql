-- lease_settled_notice(p_instance, p_series, p_data) -> nothing; writes the notice reserve.settled
--
-- For an instance that has settled what it answered in an outage: p_data has "issued", "returned",
-- "answered_twice", "tokens_revoked" and "in_doubt", of that series (null: of several). Raises GL005
-- unknown-series.
create or replace function gapless.lease_settled_notice(p_instance uuid, p_series text, p_data jsonb)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.notice_add(
        p_kind => 'reserve.settled',
        p_series_id => case when p_series is not null then gapless.series_id_of(p_series) end,
        p_data => coalesce(p_data, '{}') || jsonb_build_object('instance', p_instance)
    );
end;
$$;
