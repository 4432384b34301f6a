-- health() -> one row: what readiness depends on, besides a database that answers and fits the program
-- (gapless.interface)
--
-- migration: the highest migration applied. functions: the checksum of the functions applied after it.
create or replace function gapless.health()
returns table (
    migration integer, functions text, in_recovery boolean, epoch integer, server_version integer,
    fenced boolean
)
language plpgsql -- which keeps the plan for the session
stable
security definer
set search_path = pg_catalog, pg_temp
set jit = off -- see health_checks
as $$
#variable_conflict use_column
begin
    return query
        select m.version, f.checksum, pg_is_in_recovery(), (select max(e.epoch) from gapless.epoch e),
               current_setting('server_version_num')::integer,
               (select s.trouble is not null from gapless.epoch_state() s)
        from (select max(version) as version from gapless.schema_migration) m, gapless.schema_functions f;
end;
$$;
