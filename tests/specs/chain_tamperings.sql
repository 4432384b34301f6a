-- What somebody with every right may do to sealed records, beyond changing one field of one record (tampered_chain.py does that by
-- itself), and who has to say so: "chain": the chain alone; "anchor": the anchors only, because the whole chain was made to fit.
-- Series s and r are those of life.sql. Every check and key of the tables is dropped before. All of it is rolled back.

-- rows gone, invented, exchanged

delete from gapless.ledger where series_id = 1 and turn = 0 and ordinal = 5;
-- chain: series s link 2: the ledger from 1 to
delete from gapless.ledger where series_id = 1 and turn = 0 and ordinal = 31;
-- chain: records were sealed
delete from gapless.ledger;
-- chain: records were sealed, 0 are there
delete from gapless.ledger where turn = 2;
-- chain: the reissues from
delete from gapless.issuance where series_id = 1;
-- chain: records were sealed
delete from gapless.number_event where event_id = 3;
-- chain: the events from
delete from gapless.number_event where event_id = (select max(event_id) from gapless.number_event);
-- chain: the events from
delete from gapless.audit_log where audit_id = 2;
-- chain: series * link
delete from gapless.audit_log where audit_id = (select max(audit_id) from gapless.audit_log);
-- chain: the audit log from
delete from gapless.token_owner;
-- chain: the owners from
delete from gapless.block where block_id = 3;
-- chain: the blocks from
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch)
select 1, 1, 31, 99, gen_random_uuid(), now(), 3, 1, 1;
-- chain: the ledger from
insert into gapless.audit_log (audit_id, at, actor, action, subject) overriding system value values (2, now(), 'x', 'x', 'x');
-- chain: the audit log from
insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, actor) values (1, 4, 'reprinted', 2, 2, 'x');
-- chain: the events from
update gapless.ledger l set serial = o.serial, key = o.key, reference = o.reference, issued_at = o.issued_at
from gapless.ledger o where l.series_id = 1 and o.series_id = 1 and (l.ordinal, o.ordinal) in ((5, 15), (15, 5)) and l.turn = 0 and o.turn = 0;
-- chain: the ledger from
update gapless.number_event set event_id = 5 - event_id where series_id = 1 and event_id in (2, 3);
-- chain: the events from
alter table gapless.audit_log alter column audit_id drop identity;
update gapless.audit_log set audit_id = 5 - audit_id where audit_id in (2, 3);
-- chain: the audit log from
update gapless.block set state = 'closed' where block_id = 8;
-- chain: block 8 says that it was not withdrawn, the audit log does
update gapless.block set state = 'withdrawn' where block_id = 6;
-- chain: block 6 says that it was withdrawn, the audit log does not
update gapless.block set recalled_at = null where block_id = 9;
-- chain: block 9 says that it was not recalled, the audit log does
update gapless.block set recalled_at = now() where block_id = 1;
-- chain: block 1 says that it was recalled, the audit log does not
update gapless.block set assigned_serial = 105 where block_id = 10;
-- chain: series w link
update gapless.block set closed_reason = 'another one' where state = 'closed';
-- chain: was closed for another reason than the audit log
update gapless.block set closed_serial = closed_serial + 1 where state = 'closed';
-- chain: was closed for another reason than the audit log
update gapless.block set last_serial = last_serial + 1 where block_id = 3;
update gapless.counter set last_serial = last_serial + 1 where series_id = 1;
-- chain: the blocks from

-- references that were erased, and that were not

update gapless.ledger set reference = 'order 5', reference_salt = gen_random_uuid(), reference_digest = null
where series_id = 1 and turn = 0 and ordinal = 5;
-- chain: the ledger from
update gapless.ledger set reference = 'order 5', reference_salt = gen_random_uuid() where series_id = 1 and turn = 0 and ordinal = 5;
-- chain: the ledger from
update gapless.ledger set reference_digest = null where series_id = 1 and turn = 0 and ordinal = 5;
-- chain: the ledger from
update gapless.ledger set reference = null, reference_salt = null, reference_digest = sha256('of nothing')
where series_id = 1 and turn = 0 and ordinal = 15;
-- chain: the ledger from
update gapless.ledger set reference = null where series_id = 1 and turn = 0 and ordinal = 15;
-- chain: the ledger from
update gapless.ledger set reference = null, reference_salt = null where series_id = 1 and turn = 0 and ordinal = 15;
-- chain: the ledger from
update gapless.ledger set reference_salt = gen_random_uuid() where series_id = 1 and turn > 0;
-- chain: the reissues from
update gapless.ledger set reference = null, reference_salt = null, reference_digest = gapless.reference_digest(reference_salt, reference)
where series_id = 1 and turn = 0 and ordinal = 15;
-- chain: 4 references are erased, the audit log knows of 3

-- two series exchanged

update gapless.series set name = 'x' where series_id = 1;
update gapless.series set name = 's' where series_id = 2;
update gapless.series set name = 'r' where series_id = 1;
-- chain: series s link 1
update gapless.ledger set series_id = 3 - series_id;
update gapless.issuance set series_id = 3 - series_id;
update gapless.number_event set series_id = 3 - series_id;
update gapless.block set series_id = 3 - series_id;
update gapless.counter set series_id = 3 - series_id;
update gapless.tally set series_id = 3 - series_id;
-- chain: series r link 1
update gapless.ledger set series_id = 3 - series_id;
update gapless.issuance set series_id = 3 - series_id;
update gapless.number_event set series_id = 3 - series_id;
update gapless.block set series_id = 3 - series_id;
update gapless.seal set series_id = 3 - series_id where series_id > 0;
-- chain: series r link 1

-- links

delete from gapless.seal where series_id = 1 and link = 1;
-- chain: links 1 to 1 of the chain are gone
delete from gapless.seal where series_id = 1 and link = 3;
-- chain: links 3 to 3 of the chain are gone
delete from gapless.seal where series_id = 1 and link = 3;
update gapless.seal set link = link - 1 where series_id = 1 and link > 3;
-- chain: series s link 3
update gapless.seal set hash = sha256('x') where series_id = 1 and link = 2;
-- chain: link 2: the ledger
update gapless.seal set rows = rows - 1 where series_id = 1 and link = 2;
delete from gapless.ledger where series_id = 1 and turn = 0 and ordinal = 5;
-- chain: link 2: the ledger
insert into gapless.seal select series_id, link + 1, kind, last + 1, last + 1, 0, epoch, now(), hash
from gapless.seal where series_id = 1 order by link desc limit 1;
-- chain: it was changed since, or the link itself was
update gapless.seal set sealed_at = sealed_at - interval '1 day';
-- chain: series s link 1
update gapless.seal set epoch = 7 where series_id = 2;
-- chain: series r link 1
update gapless.seal set first = first + 1 where series_id = 1 and kind = 'event' and first > 1;
-- chain: the link before ended at

-- everything made to fit: only who kept an anchor can tell

delete from gapless.seal;
select reseal();
-- anchor: is not the one that was sealed at
update gapless.ledger set reference = 'another parcel' where series_id = 1 and turn = 0 and ordinal = 1;
delete from gapless.seal;
select reseal();
-- anchor: series s link
update gapless.number_event set reason = 'torn by the customer' where reason = 'torn';
delete from gapless.seal where series_id = 1 and link >= (select min(link) from gapless.seal where series_id = 1 and kind = 'event');
select reseal();
-- anchor: series s link
update gapless.audit_log set actor = 'somebody else';
delete from gapless.seal where series_id = 0;
select reseal();
-- anchor: series * link
delete from gapless.ledger where series_id = 1 and turn = 0 and ordinal >= 31;
delete from gapless.number_event where series_id = 1 and last_ordinal >= 31;
update gapless.counter set next_ordinal = 31, next_serial = 309 where series_id = 1;
delete from gapless.seal where series_id = 1 and link >= (select min(link) from gapless.seal where series_id = 1 and last >= 31);
-- anchor: ordinals 31 to 35 had left
delete from gapless.ledger where series_id = 1 and turn = 0 and ordinal >= 31;
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference)
select 1, 1, n, n + 278, gen_random_uuid(), now(), 3, 1, 1, 'of my own' from generate_series(31, 35) n;
delete from gapless.seal where series_id = 1 and link >= (select min(link) from gapless.seal where series_id = 1 and last >= 31 and kind = 'ledger');
select reseal();
-- anchor: series s link
delete from gapless.seal where series_id = 1 and link = (select max(link) from gapless.seal where series_id = 1);
-- anchor: is gone; the chain ends at link
delete from gapless.ledger where series_id = 2;
delete from gapless.block where series_id = 2;
delete from gapless.number_event where series_id = 2;
delete from gapless.seal where series_id = 2;
delete from gapless.series where series_id = 2;
delete from gapless.counter where series_id = 2;
delete from gapless.tally where series_id = 2;
-- anchor: the database does not know it
update gapless.epoch set database_id = gen_random_uuid();
delete from gapless.seal;
select reseal();
-- anchor: an anchor of database
insert into gapless.epoch (epoch, database_id, system_identifier, timeline, place, database_oid, ledger_oid, counter_oid, opened_by, reason)
select 2, database_id, system_identifier, timeline, place, database_oid, ledger_oid, counter_oid, 'root', 'a restore that never was' from gapless.epoch;
update gapless.ledger set reference = 'another parcel' where series_id = 1 and turn = 0 and ordinal = 1;
delete from gapless.seal;
select reseal();
-- anchor: since then epoch 2 was opened
