-- lease_write_off(p_lease, p_reason, p_actor) -> how many numbers were written off; the lease is lost
--
-- For an instance that will not come back: voids what it still holds, because it may have been answered.
-- These numbers are never issued again, unless the instance comes back after all and settles what it answered
-- (gapless.lease_settle). Repeating it changes nothing. Raises GL008 for an unknown lease, GL014 for a closed
-- one, or before its draw_until has passed, since it may be drawn on until then; GL017 without a reason,
-- GL019 while a move is prepared. Needs scope admin (GL003, GL004: gapless.require_scope). Writes one audit
-- row. Locks counter, tally, lease, then hold.
create or replace function gapless.lease_write_off(p_lease uuid, p_reason text, p_actor text) returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lease gapless.lease;
    v_rest  int8multirange;
    v_told  text[];
begin
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    p_actor := gapless.require_scope('admin', gapless.series_name(v_lease.series_id), p_actor);
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'writing off a lease needs a reason' using errcode = 'GL017';
    end if;
    perform gapless.lease_lock(p_lease, v_lease.series_id);
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    if v_lease.status = 'closed' then
        raise exception 'lease % was returned, nothing is left to write off', p_lease
            using errcode = 'GL014';
    elsif v_lease.status = 'lost' then
        return 0;
    elsif v_lease.draw_until > clock_timestamp() then
        raise exception 'lease % may be drawn on until %; recall it, and write it off when that has passed',
            p_lease, gapless.moment(v_lease.draw_until)
            using errcode = 'GL014';
    end if;
    v_told := gapless.leases_told(v_lease.series_id, null, p_lease);
    v_rest := gapless.lease_release(v_lease, p_actor, p_reason);
    update gapless.lease l set status = 'lost', written_off = l.written_off + v_rest
    where l.lease = p_lease;
    if not isempty(v_rest) then
        perform gapless.give_back(
            p_series_id => v_lease.series_id, p_numbers => v_rest, p_policy => 'void',
            p_reason => p_reason, p_actor => p_actor
        );
    end if;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'lease.write_off', p_subject => p_lease::text,
        p_before => jsonb_build_object('status', v_lease.status, 'on_lease', to_jsonb(v_told)),
        p_after => jsonb_build_object(
            'series', gapless.series_name(v_lease.series_id), 'status', 'lost', 'reason', p_reason,
            'written_off', gapless.size_of(v_rest)::text
        )
    );
    return gapless.size_of(v_rest);
end;
$$;
