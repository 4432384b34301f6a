-- foreign_objects() -> what others attached to the tables of gapless: where, what, and whether it can alter
-- inserted rows
--
-- alters: true for a BEFORE or INSTEAD OF row trigger, a rule, a policy or a child table, which can swallow
-- rows, or hold rows that gapless never inserted. False for triggers that only look and further indexes, as
-- of replication, audit tools, REINDEX CONCURRENTLY and pg_repack; they cost time and can raise errors.
create or replace function gapless.foreign_objects()
returns table (place text, what text, alters boolean)
language plpgsql -- which keeps the plan for the session
stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
    with own as (
        select r.oid, r.relname, r.relrowsecurity
        from pg_class r
        where r.relnamespace = 'gapless'::regnamespace and r.relkind = 'r'
    )
    select o.relname::text, format('the trigger %s', t.tgname),
           t.tgtype & 1 = 1 and t.tgtype & (2 | 64) > 0 -- FOR EACH ROW; BEFORE or INSTEAD OF
    from own o
    join pg_trigger t on t.tgrelid = o.oid
    where not t.tgisinternal and not exists (
        select from gapless.guard g where g.kind = 'trigger' and g.place = o.relname and g.name = t.tgname)
    union all
    select o.relname::text, format('the rule %s', w.rulename), true
    from own o
    join pg_rewrite w on w.ev_class = o.oid
    union all
    select o.relname, format('the policy %s', p.polname), true
    from own o
    join pg_policy p on p.polrelid = o.oid
    union all
    select o.relname, 'row level security', true
    from own o
    where o.relrowsecurity
    union all
    select o.relname, format('the child table %s', h.inhrelid::regclass), true
    from own o
    join pg_inherits h on h.inhparent = o.oid
    union all
    select o.relname, format('the index %s', x.relname), false
    from own o
    join pg_index i on i.indrelid = o.oid
    join pg_class x on x.oid = i.indexrelid
    where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
      and not exists (
          select from gapless.guard g where g.kind = 'index' and g.place = o.relname and g.name = x.relname
      );
end;
$$;
