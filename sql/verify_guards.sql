-- verify_guards() -> findings about what refuses gaps and doubles
--
-- While a guard was dropped, switched off or exchanged, anything could have been written: a key spent twice leaves no other trace. What
-- others attached to the tables can swallow what is inserted. The guards are compared with what the migrations noted, in gapless.guard.
create or replace function gapless.verify_guards() returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with wrong as (
        select e.place, e.name, case
            when p.name is null or not p.at_work then format('the %s %s of gapless.%s is gone or switched off', e.kind, e.name, e.place)
            else format('the %s %s of gapless.%s was exchanged: it is %s, it has to be %s', e.kind, e.name, e.place, p.definition, e.definition)
            end as what
        from gapless.guard e
        left join gapless.guards() p using (kind, place, name)
        where e.kind <> 'function' and (e.kind <> 'index' or e.definition like 'CREATE UNIQUE %')
          and (p.name is null or not p.at_work or p.definition <> e.definition)
        union all
        select e.name, e.place, format('the function gapless.%s(%s) %s', e.name, e.place, case when p.name is null then 'is gone' else 'was exchanged' end)
        from gapless.guard e
        left join gapless.guards() p using (kind, place, name)
        where e.kind = 'function' and p.definition is distinct from e.definition
        union all
        select f.place, f.what, format('%s on gapless.%s is not of gapless: it can change what is inserted', f.what, f.place)
        from gapless.foreign_objects() f
        where f.alters
        union all
        select 'guard', 'guard', 'nothing is noted of the guards: gapless migrate up'
        where not exists (select from gapless.guard)
    )
    select coalesce(jsonb_agg(gapless.finding('guards', w.what) order by w.place, w.name), '[]') from wrong w;
$$;
