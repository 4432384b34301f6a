-- verify_guards() -> findings about the guards against gaps and duplicates
--
-- While a guard was dropped, disabled or replaced, anything could have been written: a key spent twice leaves
-- no other trace. Objects that others attached to the tables can swallow inserted rows. Compares the guards
-- with what the migrations noted in gapless.guard.
create or replace function gapless.verify_guards() returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with changed as materialized (select * from gapless.changed_guards()),
    wrong as (
        select g.place, g.name, case
            when g.found is null or not g.at_work
                then format('the %s %s of gapless.%s is gone or switched off', g.kind, g.name, g.place)
            else format(
                'the %s %s of gapless.%s was exchanged: it is %s, it has to be %s', g.kind, g.name, g.place,
                g.found, g.definition)
            end as what
        from changed g
        where g.kind <> 'function' and (g.kind <> 'index' or g.definition like 'CREATE UNIQUE %')
        union all
        select g.name, g.place,
               format(
                   'the function gapless.%s(%s) %s', g.name, g.place,
                   case when g.found is null then 'is gone' else 'was exchanged' end)
        from changed g
        where g.kind = 'function'
        union all
        select f.place, f.what,
               format('%s on gapless.%s is not of gapless: it can change what is inserted', f.what, f.place)
        from gapless.foreign_objects() f
        where f.alters
        union all
        select 'guard', 'guard', 'nothing is noted of the guards: gapless migrate up'
        where not exists (select from gapless.guard)
    )
    select coalesce(jsonb_agg(gapless.finding('guards', w.what) order by w.place, w.name), '[]') from wrong w;
$$;
