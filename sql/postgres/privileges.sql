-- privileges() -> what our roles and PUBLIC may do with the schema, its tables, views, sequences and
-- functions: one row per object and role
--
-- object: as GRANT names it. Grants to other roles are not listed.
create or replace function gapless.privileges()
returns table (object text, role text, privileges text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- see health_checks
set quote_all_identifiers = off -- object names are compared with the noted ones
as $$
    with object (name, acl) as (
        select 'schema gapless', coalesce(n.nspacl, acldefault('n', n.nspowner))
        from pg_namespace n
        where n.nspname = 'gapless'
        union all
        select format('%s gapless.%I', case r.relkind when 'S' then 'sequence' else 'table' end, r.relname),
               coalesce(
                   r.relacl, acldefault(case r.relkind when 'S' then 's'::"char" else 'r' end, r.relowner)
               )
        from pg_class r
        where r.relnamespace = 'gapless'::regnamespace and r.relkind in ('r', 'v', 'm', 'p', 'S')
        union all
        select format('function gapless.%I(%s)', f.proname, pg_get_function_identity_arguments(f.oid)),
               coalesce(f.proacl, acldefault('f', f.proowner))
        from pg_proc f
        join pg_language l on l.oid = f.prolang
        where f.pronamespace = 'gapless'::regnamespace and l.lanname in ('sql', 'plpgsql')
    )
    select o.name, coalesce(g.rolname, 'public'), string_agg(a.privilege_type, ', ' order by a.privilege_type)
    from object o
    cross join aclexplode(o.acl) a
    left join pg_roles g on g.oid = a.grantee
    where a.grantee = 0 or g.rolname in ('gapless_service', 'gapless_app', 'gapless_admin', 'gapless_audit')
    group by o.name, a.grantee, g.rolname;
$$;
