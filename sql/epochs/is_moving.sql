-- is_moving() -> whether the present epoch was ended for a move to another server, with no next one begun
create or replace function gapless.is_moving() returns boolean
language plpgsql -- which keeps the plan for the session: called by every change
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (
        select from gapless.epoch_move m where m.epoch = (select max(e.epoch) from gapless.epoch e)
    );
end;
$$;
