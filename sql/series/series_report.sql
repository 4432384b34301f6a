-- series_report(p_name, p_names) -> one row for the series of that name, or for each of these names, by name;
-- for all if both are null
--
-- Its fixed properties, settings and present state. next: the serial that is issued next, null if none is
-- left. free … returned: the numbers in each state; plain: issued and in no other state; voided includes the
-- rest of closed blocks; withdrawn blocks count nowhere. today, used_days, used_today: as in
-- gapless.consumption_report; lead_days: the carrier's. on_lease: how many of the held ones are on lease;
-- overdue: those of them whose lease may not be drawn on any more. valid_days: from today to the day on which
-- the last open or queued block expires; null: never, or in more than 1000 years. Takes no lock.
create or replace function gapless.series_report(p_name text default null, p_names text[] default null)
returns table (
    series_id integer, name text, carrier text, space text, format text, params jsonb, on_release text,
    on_expiry text, low_water bigint, reuse_after interval, paused boolean, paused_reason text,
    paused_by text, paused_at timestamptz, version integer, issued bigint, remaining numeric, next bigint,
    blocks bigint, free bigint, held bigint, printed bigint, voided numeric, manifested bigint,
    returned bigint, plain bigint, lead_days integer, today date, used_days bigint[], used_today bigint,
    reserve_numbers bigint, on_lease bigint, overdue bigint, valid_days integer
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- planning takes longer than reading one series
as $$
#variable_conflict use_column
begin
    return query
        select s.series_id, s.name, s.carrier, s.space, s.format, s.params, s.on_release, s.on_expiry,
               s.low_water, s.reuse_after, c.paused, s.paused_reason, s.paused_by, s.paused_at, s.version,
               c.next_ordinal - 1 - c.waiting,
               gapless.remaining(s.series_id),
               case
               when c.waiting > 0 then (select f.serial from gapless.free_pieces(s.series_id, 1) f limit 1)
               when c.next_serial <= c.last_serial then c.next_serial
               else (
                   select b.first_serial
                   from gapless.block b
                   where b.series_id = s.series_id and b.state = 'queued'
                   order by b.position
                   limit 1
               )
               end,
               b.blocks,
               t.free, t.held, t.printed, t.voided + b.rest, t.manifested, t.returned,
               c.next_ordinal - 1 - t.free - t.held - t.printed - t.voided - t.manifested - t.returned,
               r.lead_days, d.today, u.numbers, coalesce(u.used_today, 0), s.reserve_numbers, e.numbers,
               e.overdue,
               case
               when b.ends < now() + interval '1000 years' then greatest(gapless.day_of(b.ends) - d.today, 0)
               end
        from (
            select * from gapless.series where p_name is null and p_names is null
            union all
            select * from gapless.series where name = any (coalesce(p_names, array[p_name]))
        ) s
        -- offset 0: look up per series, so that a few of many do not cost a scan of all of them
        cross join lateral (select * from gapless.counter c where c.series_id = s.series_id offset 0) c
        cross join lateral (select * from gapless.tally t where t.series_id = s.series_id offset 0) t
        cross join lateral (select * from gapless.carrier r where r.code = s.carrier offset 0) r
        cross join (select gapless.day_of(now()) as today offset 0) d
        left join lateral (
            select * from gapless.consumption_until(s.series_id, d.today) where c.next_ordinal > 1 offset 0
        ) u on true
        cross join lateral (
            select count(*) as blocks, coalesce(sum(b.last_serial - b.closed_serial + 1), 0) as rest,
                   max(coalesce(b.valid_until, 'infinity')) filter (where b.state in ('open', 'queued'))
                       as ends
            from gapless.block b
            where b.series_id = s.series_id and b.state <> 'withdrawn'
        ) b
        cross join lateral (
            select coalesce(sum(gapless.size_of(h.held)), 0)::bigint as numbers, coalesce(
                       sum(gapless.size_of(h.held)) filter (where l.draw_until <= now()), 0
                   )::bigint as overdue
            from gapless.lease l
            join gapless.hold h using (series_id, turn, ordinal)
            where l.series_id = s.series_id and l.status in ('open', 'recalled')
        ) e
        order by s.name;
end;
$$;
