-- series_change(p_name, p_changes, p_version, p_actor) -> nothing
--
-- Sets what p_changes names: paused, paused_reason, on_release, on_expiry, and low_water, reuse_after,
-- reserve_numbers, which null removes. The series keeps who paused it, or changed the reason, and the reason
-- until it is resumed; a reason for a series that is not paused is refused (GL017). p_version (null: any)
-- must be the series' version. Raises GL005 unknown-series, GL015 precondition-failed, GL017 out-of-range.
-- Needs scope admin (GL003, GL004: gapless.require_scope). Writes one audit row; when it pauses the series,
-- with what is on lease, and a notice. Locks series, then counter: a pause waits for the current batch and
-- applies from the next one on.
create or replace function gapless.series_change(
    p_name text, p_changes jsonb, p_version integer, p_actor text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series     gapless.series;
    v_paused     boolean;
    v_pauses     boolean;
    v_anew       boolean;
    v_constraint text;
begin
    p_actor := gapless.require_scope('admin', p_name, p_actor);
    select * into v_series from gapless.series s where s.name = p_name for no key update;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_name)
            using errcode = 'GL005';
    end if;
    if p_version <> v_series.version then
        raise exception 'series % is at version %, not %: read it again, then repeat the change',
            quote_literal(p_name), v_series.version, p_version
            using errcode = 'GL015';
    end if;
    select c.paused into v_paused from gapless.counter c where c.series_id = v_series.series_id for update;
    v_pauses := coalesce((p_changes ->> 'paused')::boolean, v_paused);
    v_anew := not v_paused or p_changes ? 'paused_reason';
    if p_changes ? 'paused_reason' and not v_pauses then
        raise exception 'series % is not paused: a reason goes with paused', quote_literal(p_name)
            using errcode = 'GL017';
    end if;

    update gapless.series s
    set low_water = case
        when p_changes ? 'low_water' then (p_changes ->> 'low_water')::bigint
        else s.low_water
        end,
        on_release = coalesce(p_changes ->> 'on_release', s.on_release),
        on_expiry = coalesce(p_changes ->> 'on_expiry', s.on_expiry),
        reuse_after = case
            when p_changes ? 'reuse_after' then gapless.read_span(p_changes ->> 'reuse_after')
            else s.reuse_after
            end,
        reserve_numbers = case
            when p_changes ? 'reserve_numbers' then (p_changes ->> 'reserve_numbers')::bigint
            else s.reserve_numbers
            end,
        paused_reason = case
            when v_pauses and v_anew then p_changes ->> 'paused_reason'
            when v_pauses then s.paused_reason
            end,
        paused_by = case when v_pauses and v_anew then p_actor when v_pauses then s.paused_by end,
        paused_at = case when v_pauses and v_anew then now() when v_pauses then s.paused_at end,
        version = s.version + 1
    where s.series_id = v_series.series_id;
    if p_changes ? 'paused' then
        update gapless.counter c set paused = (p_changes ->> 'paused')::boolean
        where c.series_id = v_series.series_id;
    end if;
    if not v_paused and (p_changes ->> 'paused')::boolean then
        perform gapless.notice_add(
            'series.paused', v_series.series_id, null, jsonb_build_object('actor', p_actor)
        );
    end if;

    perform gapless.audit(
        p_actor => p_actor, p_action => 'series.change', p_subject => p_name,
        p_before => jsonb_build_object(
            'paused', v_paused, 'low_water', v_series.low_water, 'on_release', v_series.on_release,
            'on_expiry', v_series.on_expiry, 'reuse_after', v_series.reuse_after,
            'reserve_numbers', v_series.reserve_numbers
        ),
        p_after => p_changes || gapless.on_lease(case
            when (p_changes ->> 'paused')::boolean then gapless.leases_told(v_series.series_id)
            end)
    );
exception
    when check_violation then
        get stacked diagnostics v_constraint = constraint_name;
        raise exception 'series %: %', quote_literal(p_name), replace(v_constraint, '_', ' ')
            using errcode = 'GL017';
end;
$$;
