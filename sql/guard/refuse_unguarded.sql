-- refuse_unguarded() -> nothing; raises GL019, or GL020 if the session's settings switch triggers off
--
-- Called after an INSERT into the ledger if no trigger advanced the counter: the next batch would issue the
-- same numbers again. This happens during a restore that has created the tables but not yet their triggers.
create or replace function gapless.refuse_unguarded() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('session_replication_role') = 'replica' then
        raise exception 'session_replication_role is replica: the triggers that guard the ledger do not '
                        'run; reset it for the role and the database of the service'
            using errcode = 'GL020';
    end if;
    raise exception 'the trigger range_continues_the_ledger is not at work: a restore that has not ended, or '
                    'somebody switched it off'
        using errcode = 'GL019', hint = 'gapless verify';
end;
$$;
