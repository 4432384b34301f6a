-- What a superuser may do to leases with every guard off; as in tamperings.sql.

delete from gapless.hold where expires_at = 'infinity' and ordinal = 22;
-- finds: has no hold|a hold was issued there
update gapless.hold set expires_at = now() where expires_at = 'infinity' and ordinal = 22;
-- finds: is not the hold that was issued there
update gapless.lease set lease = id('other') where ordinal = 22;
-- finds: is not the hold that was issued there
update gapless.lease set count = 4 where ordinal = 22;
-- finds: is not the hold that was issued there
delete from gapless.lease where ordinal = 22;
-- finds: ordinal 22: a hold there never expires, but it is of no lease
update gapless.hold set released = released - '{[24,25)}', confirmed = '{[24,25)}' where series_id = 4 and ordinal = 22;
-- finds: does not account for its numbers
update gapless.hold set held = held - '{[24,25)}', confirmed = '{[24,25)}' where series_id = 4 and ordinal = 22;
-- finds: was settled as other holds are
update gapless.lease set status = 'closed' where ordinal = 22;
-- finds: is closed, but holds numbers
update gapless.lease set status = 'open' where ordinal = 2;
-- finds: some are neither held nor settled nor written off
update gapless.lease set status = 'closed' where ordinal = 12;
-- finds: was returned, but numbers of it are written off
update gapless.lease set written_off = written_off + '{[14,15)}' where ordinal = 12;
-- finds: are held, settled or written off twice
update gapless.lease set written_off = written_off - '{[15,16)}' where ordinal = 12;
-- finds: some are neither held nor settled nor written off
update gapless.lease set written_off = written_off + '{[30,31)}' where ordinal = 12;
-- finds: are held, settled or written off twice
update gapless.number_state set numbers = numbers - '{[15,16)}' where series_id = 4 and state = 'voided';
update gapless.number_state set numbers = numbers + '{[15,16)}' where series_id = 4 and state = 'free';
-- finds: are not voided
delete from gapless.lease_record where ordinal = 22;
-- finds: some are neither held nor settled nor written off
insert into gapless.lease_record (series_id, ordinal, count, turn, lease, answered_at) values (4, 23, 1, 9, id('c'), now());
-- finds: was settled from a lease, the ledger does not say so|settled or written off twice
update gapless.lease_record set count = 1 where ordinal = 2;
-- finds: ordinal 2: was settled from a lease, the ledger does not say so
update gapless.lease_record set turn = 4 where ordinal = 2;
-- finds: ordinal 2: was settled from a lease, the ledger does not say so
update gapless.lease_record set lease = id('b') where ordinal = 2;
-- finds: which did not have it
update gapless.lease_record set spent_key = id('another') where ordinal = 4;
-- finds: ordinal 4: was settled under a key that is not the one of its record
update gapless.number_event set kind = 'returned' where series_id = 4 and kind = 'found';
-- finds: is returned, which it could not become|which it could not become
delete from gapless.lease;
-- guarded
delete from gapless.instance;
-- guarded
update gapless.lease_record set answered_at = now();
-- guarded
delete from gapless.lease_record;
-- guarded
update gapless.lease set count = count - 1;
-- guarded
update gapless.lease set status = 'open' where ordinal = 2;
-- guarded
update gapless.lease set status = 'closed' where ordinal = 12;
-- guarded
update gapless.lease set instance = id('other');
-- guarded
insert into gapless.lease_conflict (series_id, ordinal, count, lease, owner_id, key, answered_at) values (4, 2, 1, id('a'), 1, id('z'), now());
-- finds: which had not got them: they may be on two parcels
delete from gapless.lease_conflict;
-- guarded
update gapless.lease_conflict set count = count + 1;
-- guarded
