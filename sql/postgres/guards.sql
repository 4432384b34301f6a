-- guards() -> the constraints, triggers, indexes and functions of the schema as they are, and whether each is
-- in force
--
-- definition: PostgreSQL's own text for constraints, triggers and indexes; for a function the SHA-256 of its
-- body and settings, whose text no later version of PostgreSQL rewords. at_work: a constraint was validated
-- for all rows and its index is in use; a trigger fires in ordinary sessions. Foreign triggers, which call no
-- function of the schema, are not listed.
create or replace function gapless.guards()
returns table (kind text, place text, name text, definition text, at_work boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- see health_checks
set quote_all_identifiers = off -- and everything else that changes how the catalogue prints
set datestyle = 'ISO, YMD'
set intervalstyle = 'postgres'
set timezone = 'UTC'
set extra_float_digits = 1
set bytea_output = 'hex'
set standard_conforming_strings = on
as $$
    select 'constraint', r.relname, c.conname, pg_get_constraintdef(c.oid),
           c.convalidated and coalesce(i.indisvalid and i.indisready, true)
    from pg_constraint c
    join pg_class r on r.oid = c.conrelid
    left join pg_index i on i.indexrelid = c.conindid and c.contype in ('p', 'u', 'x')
    where r.relnamespace = 'gapless'::regnamespace and r.relkind = 'r'
      and c.contype in ('p', 'u', 'x', 'c', 'f')
    union all
    select 'trigger', r.relname, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled in ('O', 'A')
    from pg_trigger t
    join pg_class r on r.oid = t.tgrelid
    join pg_proc f on f.oid = t.tgfoid
    where r.relnamespace = 'gapless'::regnamespace and f.pronamespace = 'gapless'::regnamespace
      and not t.tgisinternal
    union all
    select 'index', r.relname, x.relname, pg_get_indexdef(i.indexrelid), i.indisvalid and i.indisready
    from pg_index i
    join pg_class r on r.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
    where r.relnamespace = 'gapless'::regnamespace and r.relkind = 'r'
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    union all
    select 'function', pg_get_function_identity_arguments(f.oid), f.proname,
           encode(
               sha256(
                   convert_to(
                       concat_ws(e'\n', f.prosrc, f.proconfig::text, f.prosecdef, f.provolatile, l.lanname),
                       'UTF8'
                   )
               ),
               'hex'
           ),
           true
    from pg_proc f
    join pg_language l on l.oid = f.prolang
    where f.pronamespace = 'gapless'::regnamespace and l.lanname in ('sql', 'plpgsql');
$$;
