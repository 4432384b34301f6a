-- refuse_unguarded() -> nothing; raises GL019
--
-- For who has inserted into the ledger and finds that no trigger moved the counter on: the next batch would
-- issue the same numbers again. So it is while a restore has brought the tables and not yet their triggers.
create or replace function gapless.refuse_unguarded() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception 'the trigger range_continues_the_ledger is not at work: a restore that has not ended, or '
                    'somebody switched it off'
        using errcode = 'GL019', hint = 'gapless verify';
end;
$$;
