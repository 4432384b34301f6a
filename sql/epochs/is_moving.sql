-- is_moving() -> whether the present epoch was ended for a move to another server, and the next one has not
-- begun
create or replace function gapless.is_moving() returns boolean
language plpgsql -- which keeps the plan for the session: every act asks
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (
        select from gapless.epoch_move m where m.epoch = (select max(e.epoch) from gapless.epoch e)
    );
end;
$$;
