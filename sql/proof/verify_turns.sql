-- verify_turns(p_series_id) -> findings about numbers issued again: each of the counter's turns is one ledger
-- row with its event, in the block of these ordinals and at the same distance from ordinal to serial
create or replace function gapless.verify_turns(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with wrong (at, what) as (
        select coalesce(l.ordinal, e.first_ordinal),
               case
               when l.turn < 0 then format('ordinal %s left in turn %s, before the first', l.ordinal, l.turn)
               when l.series_id is null
                   then format('event %s says that numbers were reissued, the ledger does not', e.event_id)
               when e.series_id is null
                   then format('ordinal %s left again in turn %s without its event', l.ordinal, l.turn)
               when b.block_id is null
                   then format(
                       'ordinal %s left again in turn %s from block %s, where it does not belong', l.ordinal,
                       l.turn, l.block_id
                   )
               when l.turn > c.turn
                   then format(
                       'ordinal %s left again in turn %s, the counter stands at %s', l.ordinal, l.turn, c.turn
                   )
               when l.epoch > c.epoch or l.count < 1 or (l.key is null) = (l.head_ordinal is null)
                    or (l.head_ordinal is null) <> (l.head_turn is null) or l.hold_seconds < 1
                   then format(
                       'ordinal %s left again without numbers, with neither key nor head, with half a head, '
                       'held for no time, or in a later epoch',
                       l.ordinal
                   )
               end
        from (
            select * from gapless.ledger l where l.series_id = p_series_id and l.turn > 0
            union all
            select * from gapless.ledger l where l.series_id = p_series_id and l.turn < 0
        ) l
        full join (
            select * from gapless.number_event e where e.series_id = p_series_id and e.kind = 'reissued'
        ) e
            on e.turn = l.turn and e.first_ordinal = l.ordinal and e.last_ordinal = l.ordinal + l.count - 1
        left join gapless.block b on b.series_id = l.series_id and b.block_id = l.block_id
            and b.first_ordinal <= l.ordinal
            and l.serial - l.ordinal = b.first_serial - b.first_ordinal
            and l.serial + l.count - 1 <= coalesce(b.closed_serial - 1, b.last_serial)
        left join gapless.counter c on c.series_id = p_series_id
    )
    select coalesce((select jsonb_agg(gapless.finding(format('ordinal %s', w.at), w.what) order by w.at)
                     from (select * from wrong where what is not null order by at limit 10) w), '[]')
           || coalesce((
               select jsonb_agg(
                   gapless.finding(
                       'counter',
                       format('the counter is at turn %s, numbers were reissued in %s', c.turn, r.turns)
                   )
               )
               from gapless.counter c
               cross join (select count(distinct l.turn) as turns, coalesce(max(l.turn), 0) as last
                           from gapless.ledger l where l.series_id = p_series_id and l.turn > 0) r
               where c.series_id = p_series_id and (r.turns <> c.turn or r.last <> c.turn)
           ), '[]');
$$;
