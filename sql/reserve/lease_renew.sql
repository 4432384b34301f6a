-- lease_renew(p_instance, p_secret, p_incarnation, p_lease_time) -> the instance's leases that are not
-- closed, one row each
--
-- Called every second while the instance reaches the database. Notes that it was heard of, and lets it draw
-- on its open leases for p_lease_time from now, never past the block's valid_until. A lease that is recalled,
-- or locked by somebody else at this moment, keeps its draw_until. rest: how many numbers it still holds.
-- Raises GL004 for another secret, GL014 for a copy (gapless.require_incarnation). Waits only for another
-- claim of the instance, never for counters. Call it at READ COMMITTED: issuing is serializable, and must not
-- conflict with these reads.
create or replace function gapless.lease_renew(
    p_instance uuid, p_secret bytea, p_incarnation integer, p_lease_time interval
)
returns table (
    lease uuid, series_id integer, status text, draw_until timestamptz, paused boolean, fenced boolean,
    rest bigint
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    perform gapless.require_incarnation(p_instance, p_secret, p_incarnation);
    update gapless.instance i set contact = clock_timestamp() where i.instance = p_instance;
    update gapless.lease l
    set draw_until = least(clock_timestamp() + p_lease_time, b.valid_until)
    from (
        select o.series_id, o.turn, o.ordinal
        from gapless.lease o
        where o.instance = p_instance and o.status = 'open'
        for no key update skip locked
    ) o
    join gapless.ledger r using (series_id, turn, ordinal)
    join gapless.block b on b.series_id = r.series_id and b.block_id = r.block_id
    where l.series_id = o.series_id and l.turn = o.turn and l.ordinal = o.ordinal;
    return query
        select l.lease, l.series_id, l.status, l.draw_until, c.paused, c.fenced or e.trouble is not null,
               gapless.size_of(h.held)
        from gapless.lease l
        join gapless.hold h using (series_id, turn, ordinal)
        join gapless.counter c on c.series_id = l.series_id
        cross join gapless.epoch_state() e
        where l.instance = p_instance and (l.status in ('open', 'recalled') or not isempty(h.held))
        order by l.place;
end;
$$;
