-- guards_note() -> nothing; notes the present guards and privileges for verify, health checks and
-- schema_differences; ends every migration
--
-- The migration has just created triggers, functions and privileges, so they are right. A constraint or index
-- noted before keeps its note: a migration must not approve one that somebody replaced. A migration that
-- changes one deletes its note first.
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
