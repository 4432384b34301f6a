-- wait_in_line(p_series_id) -> nothing
--
-- Queues the SQL callers of one series before they lock its counter. Without it, a caller that waits for the
-- row waits for the holder's whole transaction once the holder has released a savepoint. If the holder then
-- rolls back an outer savepoint and issues again, a third caller may have got the row in between, and all
-- three deadlock (40P01). A rollback to the savepoint releases this lock to the next in line.
--
-- Only a courtesy: the row lock is what counts. Anybody who can log in could hold this lock, so nobody waits
-- for it longer than a second. The service does not queue here: it never returns to a row in the same
-- transaction.
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
