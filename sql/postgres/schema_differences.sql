-- schema_differences() -> what is not as the migrations left it, and the statements that mend it; none if a
-- person must decide
--
-- Finds what a restore without roles loses, and what somebody dropped, replaced or disabled. Functions,
-- triggers and privileges have no statements: gapless migrate up recreates them. Constraints and indexes are
-- recreated from gapless.guard, one statement per transaction, so that nobody waits while rows are read.
-- Works on a standby.
create or replace function gapless.schema_differences()
returns table (kind text, what text, mend text[])
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
-- our sessions have enable_seqscan off, which makes plans look expensive: JIT would take a second here
set jit = off
as $$
    with privilege as (
        select coalesce(e.name, p.role) as role, e.definition as wanted, p.privileges as found,
               count(*) as objects,
               array_agg(
                   split_part(coalesce(e.place, p.object), '(', 1) order by coalesce(e.place, p.object)
               ) as object
        from (select * from gapless.guard e where e.kind = 'privilege') e
        full join gapless.privileges() p on p.object = e.place and p.role = e.name
        where e.definition is distinct from p.privileges
        group by 1, 2, 3
    )
    select w.kind,
           case w.kind
           when 'function'
               then format(
                   'the function gapless.%s(%s) %s', w.name, w.place,
                   case when w.found is null then 'is gone' else 'was exchanged' end
               )
           else format('the %s %s of gapless.%s %s', w.kind, w.name, w.place,
                       case
                           when w.found is null then 'is gone'
                           when not w.at_work then 'is switched off'
                           else 'was exchanged'
                           end)
           end,
           gapless.guard_statements(
               p_kind => w.kind, p_place => w.place, p_name => w.name, p_definition => w.definition,
               p_present => w.found is not null
           )
    from gapless.changed_guards() w
    union all
    select 'privilege',
           format(
               '%s has %s, not %s, on %s%s', p.role, coalesce(p.found, 'nothing'),
               coalesce(p.wanted, 'nothing'), array_to_string(p.object[:4], ', '),
               case when p.objects > 4 then format(' and %s more', p.objects - 4) else '' end
           ),
           '{}'
    from privilege p
    union all
    select 'foreign',
           format(
               '%s on gapless.%s is not of gapless: it can change what is inserted; drop it', f.what, f.place
           ),
           '{}'
    from gapless.foreign_objects() f
    where f.alters;
$$;
