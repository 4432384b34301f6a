-- guards_note() -> nothing; notes what guards the tables now, and who may do what, for verify, health checks
-- and schema_differences; the end of every migration
--
-- Triggers, functions and privileges were made by the migration, so they are right. A constraint or index
-- that was noted before stays as it was noted: one that somebody exchanged must not become right by a
-- migration. A migration that changes one deletes its note first.
create or replace function gapless.guards_note() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
    delete from gapless.guard g where g.kind in ('trigger', 'function', 'privilege');
    insert into gapless.guard (kind, place, name, definition)
    select g.kind, g.place, g.name, g.definition
    from gapless.guards() g
    where g.kind <> 'index' or g.at_work
    union all
    select 'privilege', p.object, p.role, p.privileges
    from gapless.privileges() p
    on conflict do nothing;
$$;
