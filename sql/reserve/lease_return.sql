-- lease_return(p_lease, p_instance, p_secret, p_incarnation) -> how many numbers were returned; the lease is
-- closed
--
-- Numbers still held are issued again, lowest first, whatever the series' on_release says: nobody has them.
-- Those of a closed or expired block are voided. Returns 0 for a lease that was returned or written off
-- before, or never granted. Raises GL004 for another secret, GL014 for a copy (gapless.require_incarnation)
-- and another instance's lease, GL019 while the database is fenced or moved. Locks instance, counter, tally,
-- lease, then hold.
create or replace function gapless.lease_return(
    p_lease uuid, p_instance uuid, p_secret bytea, p_incarnation integer
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lease gapless.lease;
    v_rest  int8multirange;
    v_actor text := gapless.lease_actor(p_instance);
begin
    perform gapless.require_incarnation(p_instance, p_secret, p_incarnation);
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    if not found then
        return 0;
    end if;
    if v_lease.instance <> p_instance then
        raise exception 'lease % is of another instance', p_lease using errcode = 'GL014';
    end if;
    perform gapless.lease_lock(p_lease, v_lease.series_id);
    perform gapless.refuse_while_fenced(v_lease.series_id);
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    if v_lease.status not in ('open', 'recalled') then
        return 0;
    end if;
    v_rest := gapless.lease_release(v_lease, v_actor, null);
    update gapless.lease l set status = 'closed' where l.lease = p_lease;
    if not isempty(v_rest) then
        perform gapless.give_back(
            p_series_id => v_lease.series_id, p_numbers => v_rest, p_policy => 'reissue',
            p_reason => 'returned from a lease', p_actor => v_actor
        );
    end if;
    return gapless.size_of(v_rest);
end;
$$;
