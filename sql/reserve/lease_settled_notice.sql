-- lease_settled_notice(p_instance, p_secret, p_series_id, p_data) -> nothing; writes the notice
-- reserve.settled
--
-- Called by an instance that has settled what it answered in an outage. p_data has "issued", "since",
-- "returned", "answered_twice", "tokens_revoked" and "in_doubt" for that series. Raises GL004 for another
-- secret than the instance's (gapless.require_secret).
create or replace function gapless.lease_settled_notice(
    p_instance uuid, p_secret bytea, p_series_id integer, p_data jsonb
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.require_secret(p_instance, p_secret);
    perform gapless.notice_add(
        p_kind => 'reserve.settled', p_series_id => p_series_id,
        p_data => coalesce(p_data, '{}') || jsonb_build_object('instance', p_instance)
    );
end;
$$;
