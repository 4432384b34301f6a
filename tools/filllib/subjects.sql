-- What the acts in acts.py are about, as variables of psql. year-0 is the largest series; in another, numbers wait to go out again.
select s.series_id as series, s.name as name, o.owner_id as owner, c.next_ordinal / 2 as middle,
       (select l.key from gapless.ledger l where l.series_id = s.series_id and l.turn = 0
        and l.ordinal <= c.next_ordinal / 2 and l.key is not null order by l.ordinal desc limit 1) as key,
       w.series_id as waiting
from gapless.series s
join gapless.counter c using (series_id)
join gapless.token_owner o on o.name = 'token:fill'
cross join lateral (select w.series_id from gapless.counter w where w.waiting > 0 order by 1 limit 1) w
where s.name = 'year-0' \gset
select l.ordinal as begins, l.count as count, coalesce(l.reference, '') as reference, coalesce(l.hold_seconds::text, '') as seconds,
       l.serial as serial, l.issued_at as moment
from gapless.ledger l where l.key = :'key' and l.owner_id = :owner \gset
select h.turn as hold_turn, h.ordinal as hold_ordinal from gapless.hold h
where h.series_id = :series and not isempty(h.held) order by h.ordinal limit 1 \gset
select e.first_ordinal as again from gapless.number_event e
where e.series_id = :series and e.kind = 'reissued' order by e.event_id limit 1 \gset
select l.reference as some_reference from gapless.ledger l
where l.series_id = :series and l.turn = 0 and l.reference is not null order by l.ordinal limit 1 \gset
select m.day as day from gapless.manifest m where m.series_id = :series order by m.day limit 1 \gset
select b.block_id as block from gapless.block b where b.series_id = :series order by b.position limit 1 \gset
select gapless.token_create('measure', sha256('x'), array['issue'], null, null, 'fill') as token \gset
