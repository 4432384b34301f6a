-- commit_waits_for_disk() -> constraint trigger on gapless.sql_issue, at the COMMIT of a transaction that
-- called gapless.issue
--
-- gapless.issue refuses a session whose COMMIT does not wait for the disk and the standby. If
-- synchronous_commit is lowered after the call, COMMIT fails here: a crash would lose the numbers, to be
-- issued again. Raises GL020. Stops mistakes, not intent: SET CONSTRAINTS … IMMEDIATE runs the check before
-- the setting is lowered. Not on the ledger, where it would cost every number.
create or replace function gapless.commit_waits_for_disk() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
        raise exception 'synchronous_commit is % at COMMIT: an issued number could be lost',
            current_setting('synchronous_commit')
            using errcode = 'GL020',
            hint = 'Leave synchronous_commit at on in a transaction that calls gapless.issue.';
    end if;
    return null;
end;
$$;

do $$
begin
    if not exists (
        select
        from pg_trigger t
        where t.tgrelid = 'gapless.sql_issue'::regclass and t.tgname = 'commit_waits_for_disk'
    ) then
        create constraint trigger commit_waits_for_disk after insert on gapless.sql_issue
            deferrable initially deferred
            for each row execute function gapless.commit_waits_for_disk();
    end if;
end;
$$;
