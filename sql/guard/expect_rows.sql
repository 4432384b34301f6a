-- expect_rows(p_arrived, p_expected, p_table) -> nothing
--
-- Raises if an INSERT put fewer rows into a table than it was given: somebody's row trigger or rule dropped
-- or redirected them, and a number without its row would be issued a second time. PostgreSQL itself reports
-- such an INSERT as a success. Called after every INSERT of a record. Raises GL020.
create or replace function gapless.expect_rows(p_arrived bigint, p_expected bigint, p_table text) returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_arrived is distinct from p_expected then
        raise exception '% of % rows arrived in gapless.%: a trigger or rule that is not of gapless changes '
                        'what is inserted; gapless verify names it: drop it, then repeat the request',
            p_arrived, p_expected, p_table
            using errcode = 'GL020';
    end if;
end;
$$;
