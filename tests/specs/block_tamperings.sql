-- What may be done to blocks that were withdrawn, recalled or proposed, with every guard off, and what verify says; as tamperings.sql.

update gapless.block set state = 'withdrawn', closed_serial = 110, closed_reason = 'x' where block_id = 10;
-- finds: block 10 was withdrawn, but its numbers are in the ledger
update gapless.block set state = 'closed' where block_id = 8;
-- refused
update gapless.block set assigned_serial = 101 where block_id = 9;
-- refused
update gapless.block set recalled_at = now() where block_id = 10;
-- finds: block 10 was recalled, but 28 of its numbers are remaining
update gapless.block set recalled_at = recalled_at - interval '1 day' where block_id = 9;
-- finds: block 9 was not recalled when it says, by the audit log
update gapless.block set recalled_at = now() where block_id = 3;
-- finds: block 3 was recalled, but 1 of its numbers are free
update gapless.block set recalled_at = now() where block_id = 3;
-- finds: block 3 was recalled, but 2 of its numbers are held
update gapless.block set recalled_at = now() where block_id = 7;
-- refused
update gapless.proposal set state = 'proposed', settled_by = null, settled_at = null;
-- finds: proposal 1 counts as proposed; by the audit log it was made 1 times, confirmed 1 and rejected 0
update gapless.proposal set state = 'rejected';
-- finds: proposal 1 counts as rejected; by the audit log it was made 1 times, confirmed 1 and rejected 0
insert into gapless.audit_log (actor, action, subject) values ('x', 'proposal.confirm', '1');
-- finds: proposal 1 counts as confirmed; by the audit log it was made 1 times, confirmed 2 and rejected 0
update gapless.proposal set lasts = array[398];
-- finds: proposal 1 was confirmed, but of its 1 blocks 0 were loaded
update gapless.proposal set settled_at = settled_at + interval '1 s';
-- finds: proposal 1 was confirmed, but of its 1 blocks 0 were loaded
update gapless.proposal set settled_by = proposed_by;
-- refused
update gapless.proposal set settled_by = 'role:x';
-- finds: proposal 1 was proposed by
delete from gapless.proposal;
-- finds: proposal 1 is gone
update gapless.proposal set series_id = 1;
-- finds: proposal 1

-- with the guards on

update gapless.block set state = 'closed' where block_id = 8;
-- guarded
update gapless.block set recalled_at = null where block_id = 9;
-- guarded
update gapless.block set assigned_serial = null where block_id = 10;
-- guarded
update gapless.proposal set lasts = array[398];
-- guarded
update gapless.proposal set state = 'proposed', settled_by = null, settled_at = null;
-- guarded
delete from gapless.proposal;
-- guarded

-- notices

drop index gapless.seq_is_given_once;
-- finds: seq_is_given_once of gapless.notice is gone
select gapless.notices_publish();
update gapless.notice set data = '{}';
-- guarded
update gapless.notice set series_id = 9;
-- guarded
