-- wait_in_line(p_series_id) -> nothing
--
-- Lets SQL callers of one series pass one after the other, before they lock its counter. A caller who waits
-- for the row itself waits for the whole transaction of the one before as soon as a savepoint of that one was
-- released; should that one take back an outer savepoint and issue again, a third caller may have got the row
-- in between, and all three wait in a circle (40P01). This lock is given back with the savepoint, to the next
-- in line.
--
-- A courtesy: the row lock is what counts. Anybody who can log in could hold this lock, so nobody waits for
-- it longer than a second. The service does not stand in this line: it does not come back for a row in the
-- same transaction.
create or replace function gapless.wait_in_line(p_series_id integer) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '1s'
as $$
begin
    if not pg_try_advisory_xact_lock(28273, p_series_id) then -- "nq" in ASCII
        begin
            perform pg_advisory_xact_lock(28273, p_series_id);
        exception when lock_not_available then
            null;
        end;
    end if;
end;
$$;
