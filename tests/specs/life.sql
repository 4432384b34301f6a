-- What tampered_life.py changes by hand.
--
-- Series s: blocks 1 (100…109) and 2 (200…209) are used up, 3 (300…399) is open; 35 numbers left.
--   1-3 printed, 2 again, reported; 1 returned    4 voided    5-7 confirmed, 8 expired
--   9-12 held and released; 9-10 held again and expired, 11 issued again, 12 held again with 13
--   12-13, 14 expired    15-26 issued as one request, 20-22 printed
--   27-30 held; 28 released and issued again as the first of 28, 31-35; 30 released and free
-- Series r: its numbers 1…4 left twice and are loaded a third time, as two blocks.
-- Series w: block 8 (100…149) was withdrawn; its numbers are those of block 10, of which another system issued 100…109, and 2 left here.
-- Block 9 (200…209) was recalled: 1-3 were issued, 4-5 held, 4 released. Block 11 or so (300…399) was proposed, and loaded by another.
-- Series l (500…599): 1 issued; on lease at instance i: 2-11, of which 2-3 and 4 were settled, 4 under another key as its own was spent, the
-- rest came back; 12-21, of which 12 was settled, the rest written off, and 14 found; 22-26, of which 22 was settled.
select gapless.series_create('s', 'c', null, null, null, null, null, null, 'test');
select gapless.series_create('r', 'other', null, null, null, null, null, null, 'test', '1 day');
select gapless.block_load('s', 100, 109, null, null, null, 'test');
select gapless.block_load('s', 200, 209, null, null, null, 'test');
select gapless.block_load('s', 300, 399, null, null, null, 'test');
select numbers('s', 4, 'a');
select event('printed', null, 1, 2, 3);
select event('reprinted', null, 2);
select event('voided', 'torn', 4);
select numbers('s', 4, 'b', 60);
select settle(true, 5, ordinals(5, 6, 7));
select numbers('s', 4, 'c', 60);
select settle(false, 9);
select numbers('s', 2, 'd', 60);
select numbers('s', 1, 'e');
select numbers('s', 2, 'f', 60);
select gapless.manifest_close('s', '2020-01-01', 'test');
select numbers('s', 1, 'g', 60);
select put_back('2 minutes');
select * from gapless.sweep();
select gapless.manifest_close('s', current_date, 'test');
select event('returned', null, 1);
select numbers('s', 12, 'h');
select event('printed', null, 20, 21, 22);
select numbers('s', 4, 'i', 600);
select settle(false, 27, ordinals(28));
select numbers('s', 6, 'j');
select settle(false, 27, ordinals(30));
select gapless.block_load('r', 1, 4, null, null, null, 'test');
select numbers('r', 4);
select put_back('1 day');
select gapless.block_load('r', 1, 4, null, null, null, 'test');
select numbers('r', 4);
select put_back('1 day');
select * from gapless.block_load_many('r', '{1,3}', '{2,4}', '{a,b}', '{null,null}', 'test');
select gapless.series_create('w', 'third', null, null, null, null, null, null, 'test');
select gapless.block_load('w', 100, 149, null, null, null, 'test');
select gapless.block_withdraw(8, 'typo', 'test');
select gapless.block_load('w', 200, 209, null, null, null, 'test');
select numbers('w', 3);
select numbers('w', 2, 'w', 600);
select gapless.hold_settle(3, 0, 4, ordinals(4), false, 'client');
select gapless.block_recall(9, 'rejected', 'test');
select gapless.block_load('w', 100, 139, null, null, null, 'test', 109);
select numbers('w', 2);
select gapless.token_create('anna', sha256('a'), array['load'], null, null, 'test');
begin;
select token('anna', 'a');
select gapless.proposal_make('w', array[300], array[399], array[null::bigint], array[null], array[null::timestamptz], 'test');
commit;
select * from gapless.proposal_confirm(1, 'test');
select gapless.series_create('l', 'fourth', null, null, null, null, null, null, 'test', p_reserve_numbers => 10);
select gapless.block_load('l', 500, 599, null, null, null, 'test');
select numbers('l', 1, 'spent');
select claim('i', 0, 'c');
select take('a', 'i', 1, 10, 4);
select settled('a', '2+2:x', '4+1:spent');
select returned('a', 'i', 1);
select take('b', 'i', 1, 10, 4);
select settled('b', '12+1:y');
select put_back('9 hours');
select gapless.lease_write_off(id('b'), 'burnt', 'test');
select settled('b', '14+1:z');
select take('c', 'i', 1, 5, 4);
select settled('c', '22+1:w');
