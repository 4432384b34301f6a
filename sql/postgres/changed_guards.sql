-- changed_guards() -> the guards that are not as the migrations noted them: gone, not in force, or replaced
--
-- gapless.schema_differences compares privileges. definition: as noted; found: as it is, null if it is gone.
create or replace function gapless.changed_guards()
returns table (kind text, place text, name text, definition text, found text, at_work boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- see health_checks
as $$
    select e.kind, e.place, e.name, e.definition, p.definition, coalesce(p.at_work, false)
    from gapless.guard e
    left join gapless.guards() p using (kind, place, name)
    where e.kind <> 'privilege' and (p.name is null or not p.at_work or p.definition <> e.definition);
$$;
