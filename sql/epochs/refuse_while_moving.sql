-- refuse_while_moving() -> nothing; raises GL019 while the database is prepared for a move to another server
--
-- What is changed after the copy was taken would be lost, and a number whose confirmation is lost could leave
-- again. Whoever changes the state of numbers asks after it has locked the tally: gapless.epoch_prepare_move
-- writes every tally.
create or replace function gapless.refuse_while_moving() returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if gapless.is_moving() then
        raise exception 'the database is fenced: %', (select s.trouble from gapless.epoch_state() s)
            using errcode = 'GL019', hint = 'gapless epoch show';
    end if;
end;
$$;
