-- refuse_while_moving() -> nothing; raises GL019 while the database is prepared for a move to another server
--
-- Changes made after the copy was taken would be lost, and a number whose confirmation is lost could be
-- issued again. Functions that change the state of numbers call this after locking the tally:
-- gapless.epoch_prepare_move updates every tally.
create or replace function gapless.refuse_while_moving() returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if gapless.is_moving() then
        raise exception 'the database is fenced: %; see: gapless epoch show',
            (select s.trouble from gapless.epoch_state() s)
            using errcode = 'GL019';
    end if;
end;
$$;
