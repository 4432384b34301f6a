-- lease_drill(p_series, p_seconds, p_actor) -> when the drill ends
--
-- For p_seconds (1 to 600; 0 ends a drill) every instance keeps requests of that series from its issue
-- connections, so that they are answered from the reserve as if the database were away. Instances learn of it
-- when they ask what they should have on lease (gapless.lease_wanted). Raises GL005 unknown-series, GL014 for
-- a series without a reserve, GL017 for p_seconds out of range. Needs scope admin (GL003, GL004:
-- gapless.require_scope). Writes one audit row. Locks the series.
create or replace function gapless.lease_drill(p_series text, p_seconds integer, p_actor text)
returns timestamptz
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series gapless.series;
    v_until  timestamptz := clock_timestamp() + p_seconds * interval '1 second';
begin
    p_actor := gapless.require_scope('admin', p_series, p_actor);
    select * into v_series from gapless.series s where s.name = p_series for no key update;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_series)
            using errcode = 'GL005';
    end if;
    if p_seconds is null or p_seconds not between 0 and 600 then
        raise exception 'a drill takes 1 to 600 seconds, not %', p_seconds using errcode = 'GL017';
    end if;
    if v_series.reserve_numbers is null and p_seconds > 0 then
        raise exception 'series % has no reserve; give it one: gapless series set % --reserve N',
            quote_literal(p_series), p_series
            using errcode = 'GL014';
    end if;
    update gapless.series s set drill_until = v_until where s.series_id = v_series.series_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'lease.drill', p_subject => p_series,
        p_before => null, p_after => jsonb_build_object('until', v_until)
    );
    return v_until;
end;
$$;
