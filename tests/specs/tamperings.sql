-- What a superuser may do with every guard off, and a part of what verify has to say about it; for tampered_life.py.
-- After each change: "finds:" (either part where | stands), or "refused" where a constraint does not even let it happen, or, with the
-- guards on, "guarded". All of it is rolled back.

-- counts

update gapless.tally set held = held + 1 where series_id = 1;
-- finds: 3 numbers are counted as held, 2 are
update gapless.tally set free = free - 1 where series_id = 1;
-- finds: 0 numbers are counted as free, 1 are
update gapless.tally set printed = 0 where series_id = 1;
-- finds: 0 numbers are counted as printed, 3 are
update gapless.tally set voided = 8 where series_id = 1;
-- finds: 8 numbers are counted as voided, 7 are
update gapless.tally set manifested = 1, returned = 2 where series_id = 1;
-- finds: 2 numbers are counted as returned
update gapless.tally set events = events + 1 where series_id = 1;
-- finds: events were counted
update gapless.tally set held = 1 where series_id = 2;
-- finds: s r tally|r tally: 1 numbers are counted as held, 0 are
delete from gapless.tally where series_id = 1;
-- finds: tally: the series has none
update gapless.counter set waiting = 0 where series_id = 1;
-- finds: 0 numbers wait to go out again
update gapless.counter set waiting = 2 where series_id = 1;
-- finds: 2 numbers wait to go out again
update gapless.counter set turn = 3 where series_id = 1;
-- finds: the counter is at turn 3
update gapless.counter set turn = 5 where series_id = 1;
-- finds: the counter is at turn 5
update gapless.counter set valid_until = now() + interval '1 day' where series_id = 1;
-- finds: the counter's numbers are valid until 2
update gapless.counter set last_issued_at = now() + interval '1 minute' where series_id = 1;
-- finds: s counter: the counter says that numbers were issued until
update gapless.counter set epoch = 2 where series_id = 1;
-- finds: s counter: the counter is in epoch 2, the database in 1
update gapless.counter set valid_until = now() + interval '1 day' where series_id = 1;
-- guarded

-- states

update gapless.number_state set numbers = numbers - '{[4,5)}' where state = 'voided';
-- finds: ordinal 4: the history does not lead to the state voided
update gapless.number_state set numbers = numbers + '{[31,32)}' where state = 'printed';
-- finds: the history does not lead to the state printed
update gapless.number_state set numbers = numbers - '{[4,5)}' where state = 'voided';
update gapless.number_state set numbers = numbers + '{[4,5)}' where state = 'free';
update gapless.tally set voided = voided - 1, free = free + 1 where series_id = 1;
update gapless.counter set waiting = waiting + 1 where series_id = 1;
-- finds: ordinal 4: the history does not lead to the state free
update gapless.number_state set numbers = numbers + '{[4,5)}' where state = 'free';
-- finds: 1 numbers from there on are in two states|numbers from there on are in two states
update gapless.number_state set numbers = numbers + '{[40,41)}' where state = 'printed';
update gapless.tally set printed = printed + 1 where series_id = 1;
-- finds: ordinal 40 has a state, but only 35 have left
delete from gapless.number_state where state = 'printed';
-- finds: the history does not lead to the state printed
update gapless.number_state set series_id = 2 where state = 'returned';
-- finds: the history does not lead to the state returned
alter table gapless.number_state drop constraint numbers_stay_in_their_chunk;
update gapless.number_state set chunk = 5 where state = 'returned';
-- finds: numbers_stay_in_their_chunk of gapless.number_state is gone

-- holds

delete from gapless.hold where ordinal = 5;
-- finds: ordinal 5: a hold was issued there, its record is gone
update gapless.hold set confirmed = '{(,)}' where ordinal = 9 and turn = 0;
-- finds: ordinal 9: the hold there does not account for its numbers
update gapless.hold set expired = '{(,0)}' where ordinal = 9 and turn = 0;
-- finds: ordinal 9: the hold there does not account for its numbers
delete from gapless.hold where turn = 1;
-- finds: ordinal 9: a hold was issued there
insert into gapless.hold (series_id, turn, ordinal, expires_at, held) values (1, 0, 31, now(), '{}');
-- finds: ordinal 31: a hold is recorded there
update gapless.hold set expires_at = expires_at + interval '1 s' where ordinal = 27;
-- finds: ordinal 27: the hold there does not expire when it should
update gapless.ledger set hold_seconds = null where ordinal = 27;
-- finds: ordinal 27: a hold is recorded there, but none was issued
update gapless.ledger set hold_seconds = 60 where ordinal = 31;
-- finds: a hold was issued there, its record is gone
update gapless.hold set held = '{[27,28)}' where ordinal = 27;
-- finds: ordinal 27: the hold there does not account for its numbers
update gapless.hold set held = '{[27,28)}', confirmed = '{[29,30)}' where ordinal = 27;
-- finds: ordinal 29: its hold says confirmed, its history does not
update gapless.hold set held = held + '{[28,29)}', released = '{[30,31)}' where ordinal = 27;
-- finds: ordinal 28: its history says released, its hold does not
update gapless.hold set expired = case ordinal when 14 then '{[13,14)}'::int8multirange else '{[12,13),[14,15)}' end where ordinal in (12, 14);
-- finds: ordinal 12: the hold there does not account for its numbers
update gapless.hold set expires_at = expires_at - interval '2 h' where ordinal = 9 and turn = 1;
-- finds: ordinal 9: the hold there does not expire when it should
update gapless.number_state set numbers = numbers - '{[29,30)}' where state = 'held';
update gapless.tally set held = held - 1 where series_id = 1;
-- finds: ordinal 29: the history does not lead to the state held
update gapless.hold set confirmed = confirmed + expired, expired = '{}' where ordinal = 5;
-- finds: ordinal 8: its hold says confirmed, its history does not
update gapless.hold set released = '{}', expired = released where ordinal = 9 and turn = 0;
-- finds: ordinal 9: its hold says expired, its history does not
update gapless.hold set released = '{[11,13)}', expired = '{[9,11)}' where ordinal = 9 and turn = 0;
update gapless.hold set expired = '{}', released = '{[9,11)}' where ordinal = 9 and turn = 1;
-- finds: ordinal 9: its hold says released
update gapless.hold set confirmed = '{[14,15)}', expired = '{}' where ordinal = 14;
update gapless.number_state set numbers = numbers - '{[14,15)}' where state = 'voided';
update gapless.tally set voided = voided - 1 where series_id = 1;
-- finds: ordinal 14: its hold says confirmed, its history does not
update gapless.hold set confirmed = '{[14,15)}', expired = '{}' where ordinal = 14;
update gapless.number_state set numbers = numbers - '{[14,15)}' where state = 'voided';
delete from gapless.number_event where event_id = 16;
update gapless.number_event set kind = 'confirmed' where event_id = 15;
update gapless.tally set voided = voided - 1, events = events - 1 where series_id = 1;
-- finds: events are numbered 1 to 22, but there are 21|events are numbered

-- turns

update gapless.ledger set turn = 9 where turn = 2;
-- finds: ordinal 11: ordinal 11 left again in turn 9 without its event
update gapless.ledger set turn = 9 where turn = 2;
update gapless.number_event set turn = 9 where turn = 2;
-- finds: ordinal 11 left again in turn 9, the counter stands at 4
update gapless.ledger set turn = 5 where turn = 4;
update gapless.number_event set turn = 5 where turn = 4;
update gapless.counter set turn = 5 where series_id = 1;
-- finds: the counter is at turn 5, numbers were reissued in 4
update gapless.ledger set turn = 0 where turn = 2;
-- refused
update gapless.ledger set turn = 5 where turn = 0 and ordinal = 14;
-- finds: ordinals 14 to 14
delete from gapless.ledger where turn = 2;
-- finds: event 7 says that numbers were reissued, the ledger does not
update gapless.ledger set serial = 201 where turn = 2;
-- finds: ordinal 11 left again in turn 2 from block 2, where it does not belong
update gapless.ledger set block_id = 3 where turn = 2;
-- finds: ordinal 11 left again in turn 2 from block 3, where it does not belong
update gapless.ledger set ordinal = 12, serial = 201 where turn = 2;
-- finds: ordinal 12: ordinal 12 left again in turn 2 without its event
update gapless.ledger set head_turn = 0 where turn = 2 and head_ordinal is null;
-- finds: ordinal 11 left again without numbers
update gapless.ledger set hold_seconds = 0 where turn = 2;
-- finds: ordinal 11 left again without numbers
update gapless.ledger set turn = -1 where turn = 2;
-- finds: ordinal 11 left in turn -1, before the first
update gapless.ledger set epoch = 9 where turn = 2;
-- finds: ordinal 11 left again without numbers
update gapless.ledger set count = 2 where turn = 2;
-- finds: ordinal 11 left again in turn 2 without its event

-- ordinals and cycles

update gapless.ledger set ordinal = ordinal + 1 where turn = 0 and ordinal >= 31;
-- finds: ordinals 31 to 31
update gapless.ledger set ordinal = ordinal + 100 where turn = 0 and block_id = 3;
-- finds: block 3 starts at
update gapless.block set first_ordinal = 22 where block_id = 3;
-- finds: block 3 starts at ordinal 21, but was opened at 22
update gapless.block set cycle = 4 where block_id = 7;
-- finds: block 7 counts as cycle 4 of its numbers, 3 is due
update gapless.block set cycle = 3 - cycle where block_id in (4, 5);
-- refused
update gapless.block set cycle = 9 where block_id = 5;
-- finds: block 5 counts as cycle 9 of its numbers, 2 is due
insert into gapless.block (series_id, space, first_serial, last_serial, position, cycle, loaded_by) values (2, 'other', 4, 5, 9, 4, 'x');
-- finds: block 7 was loaded again as block 13 before it was used up
insert into gapless.block (series_id, space, first_serial, last_serial, position, loaded_by) values (1, 'c', 900, 909, 0, 'x');
-- finds: is still queued at position 0, but block 1 of position 1 was opened
insert into gapless.block (series_id, space, first_serial, last_serial, position, loaded_by) values (1, 'c', 900, 909, 4, 'x');
update gapless.block set position = 5 where block_id = 3;
-- finds: is still queued at position 4, but block 3 of position 5 was opened
delete from gapless.block where block_id = 4;
-- finds: numbers of block 4, which was never opened

-- events

delete from gapless.number_event where series_id = 1 and event_id = 1;
-- finds: 22 events were counted, 21 are there
delete from gapless.number_event where series_id = 1 and event_id = 2;
update gapless.tally set events = events - 1 where series_id = 1;
-- finds: events are numbered
delete from gapless.number_event where series_id = 1 and event_id = 17;
update gapless.tally set events = events - 1 where series_id = 1;
-- finds: ordinal 1: from event 18 on it is returned|manifest
delete from gapless.number_event where series_id = 1 and event_id = 22;
update gapless.tally set events = events - 1 where series_id = 1;
-- finds: released
update gapless.number_event set kind = 'printed' where series_id = 1 and event_id = 2;
-- finds: ordinal 2: from event 2 on it is printed, which it could not become
update gapless.number_event set kind = 'manifested' where event_id = 19;
-- finds: the history does not lead to the state
update gapless.number_event set kind = 'released' where event_id = 4;
-- finds: ordinal 5: its hold says confirmed, its history does not
update gapless.number_event set last_ordinal = 6 where event_id = 4;
-- finds: ordinal 7: its hold says confirmed, its history does not
update gapless.number_event set first_ordinal = 21 where event_id = 19;
-- finds: the history does not lead to the state printed
update gapless.number_event set event_id = 100 where event_id = 4;
-- finds: events are numbered 1 to 100, but there are 22
update gapless.number_event set event_id = case event_id when 1 then 2 else 1 end where event_id in (1, 2);
-- refused
update gapless.number_event set event_id = 0 where event_id = 5;
update gapless.number_event set event_id = 5 where event_id = 6;
update gapless.number_event set event_id = 6 where event_id = 0;
-- finds: a number was reissued while it was not free
insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, actor) values (1, 23, 'reprinted', 20, 20, 'x');
-- finds: 22 events were counted, 23 are there
insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, actor) values (1, 23, 'reprinted', 31, 31, 'x');
update gapless.tally set events = 23 where series_id = 1;
-- finds: ordinal 31: from event 23 on it is reprinted, which it could not become

-- manifests

update gapless.manifest set count = 4 where count = 3;
-- finds: 3 numbers were reported that day, the manifest says 4 and holds 3
delete from gapless.manifest where count = 3;
-- finds: the manifest says nothing
delete from gapless.manifest where count = 3;
delete from gapless.manifest_part;
-- finds: the manifest says nothing and holds 0
delete from gapless.manifest_part;
-- finds: the manifest says 3 and holds 0
update gapless.manifest set created_at = created_at - interval '1 day' where count = 3;
-- finds: was not closed by whom and when the audit log says
update gapless.manifest set created_by = 'anna' where count = 3;
-- finds: was not closed by whom and when the audit log says
update gapless.manifest_part set numbers = '{[1,3),[31,32)}';
-- finds: , whose closing did not make it manifested
update gapless.number_event set at = at - interval '1 second' where kind = 'manifested';
-- finds: , whose closing did not make it manifested
update gapless.manifest_part set day = '2020-01-01';
-- finds: manifest 2020-01-01: 0 numbers were reported that day

-- with the guards on

update gapless.number_event set reason = 'x';
-- guarded
delete from gapless.number_event;
-- guarded
update gapless.manifest set count = 0;
-- guarded
delete from gapless.manifest_part;
-- guarded
update gapless.block set cycle = 9 where block_id = 3;
-- guarded
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, turn) values (1, 1, 31, 310,
    gen_random_uuid(), now(), 3, 1, 1, 5);
-- guarded
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, turn) values (1, 1, 30, 309,
    gen_random_uuid(), now(), 3, 1, 1, 6);
-- guarded
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, turn) values (1, 1, 30, 308,
    gen_random_uuid(), now(), 3, 1, 1, 5);
-- guarded
insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, turn) values (1, 1, 30, 309,
    gen_random_uuid(), now(), 3, 1, 1, 5), (1, 1, 30, 309, gen_random_uuid(), now(), 3, 1, 1, 6);
-- guarded
