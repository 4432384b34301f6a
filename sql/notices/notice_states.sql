-- notice_states() -> the subjects now in a state that no transaction reports, as gapless.notice_cross takes
-- them
--
-- series.low: fewer numbers remaining than low_water, its mark. series.exhausted: none, nor any that a lease
-- may give back (gapless.lease_stock). series.no_successor:
-- the open block has numbers left, and no block is queued. Nothing for a series that never had a block.
-- token.expires: within 14 days. lease.overdue: a lease holds numbers but may not be drawn on any more. Takes
-- no lock.
create or replace function gapless.notice_states() returns setof gapless.notice_state
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with stock as materialized (
        select c.series_id, s.low_water, c.block_id, c.last_serial - c.next_serial + 1 as rest, q.blocks,
               r.remaining
        from gapless.counter c
        join gapless.series s using (series_id)
        join gapless.stock r using (series_id)
        cross join lateral (
            select count(*) as blocks
            from gapless.block b
            where b.series_id = c.series_id and b.state = 'queued'
        ) q
        where c.next_ordinal > 1 or q.blocks > 0 or exists (
            select from gapless.block b where b.series_id = c.series_id and b.state in ('open', 'closed')
        )
    )
    select 'series.low', t.series_id::bigint, t.low_water, t.series_id, null::integer,
           jsonb_build_object('remaining', t.remaining::text, 'low_water', t.low_water::text)
    from stock t
    where t.remaining < t.low_water
    union all
    select 'series.exhausted', t.series_id, null, t.series_id, null, '{}'
    from stock t
    where t.remaining = 0 and gapless.lease_stock(t.series_id) = 0
    union all
    select 'series.no_successor', t.series_id, t.block_id, t.series_id, t.block_id,
           jsonb_build_object('remaining', t.rest::text)
    from stock t
    where t.rest > 0 and t.blocks = 0
    union all
    select 'token.expires', r.token_id, null, null, null,
           jsonb_build_object(
               'token', r.token_id::text, 'name', r.name, 'expires_at',
               to_char(r.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
           )
    from gapless.token_report() r
    where r.in_force and r.expires_at <= now() + interval '14 days'
    union all
    select 'lease.overdue', l.place, null, l.series_id, null,
           jsonb_build_object(
               'lease', l.lease, 'instance', l.instance, 'host', i.host,
               'numbers', gapless.size_of(h.held)::text, 'contact',
               to_char(i.contact at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
           )
    from gapless.lease l
    join gapless.instance i using (instance)
    join gapless.hold h using (series_id, turn, ordinal)
    where l.status in ('open', 'recalled') and l.draw_until <= now() and not isempty(h.held);
$$;
