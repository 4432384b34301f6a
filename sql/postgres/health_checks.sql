-- health_checks(p_connections, p_age) -> one row per check of what an operator must see to on this server
--
-- severity: stop if nothing can be issued at all, risk if an acknowledged number can be lost and issued
-- again, warning, info. fine: nothing to do; otherwise advice says why it matters and what to set.
-- p_connections: how many an instance may open; null: not checked. p_age: how old a snapshot or prepared
-- transaction may become. Sees other sessions as far as the owner of the schema does: pg_stat_activity shows
-- them only to superusers and members of pg_read_all_stats.
create or replace function gapless.health_checks(p_connections integer, p_age interval default '5 minutes')
returns table (name text, severity text, fine boolean, value text, advice text)
language plpgsql -- which keeps the plan for the session
stable
security definer
set search_path = pg_catalog, pg_temp
-- our sessions have enable_seqscan off, which makes plans look expensive: JIT would take a second
set jit = off
as $$
#variable_conflict use_column
begin
    return query
    with foreign_object as materialized (select * from gapless.foreign_objects())
    select s.name, s.severity, current_setting(s.name) = s.wanted, current_setting(s.name), s.advice
    from (values
        (
            'default_transaction_read_only', 'stop', 'off',
            'nothing can be written here: set default_transaction_read_only = off'
        ),
        (
            'fsync', 'risk', 'on',
            'an acknowledged number can be lost in a crash and issued again: set fsync = on'
        ),
        (
            'full_page_writes', 'risk', 'on',
            'a page torn in a crash can forget numbers: set full_page_writes = on'
        ),
        (
            'data_checksums', 'warning', 'on',
            'a rotten page is a wrong counter instead of an error: pg_checksums --enable, while the server '
            'is stopped'
        ),
        ('autovacuum', 'warning', 'on', 'the counters change with every batch and bloat: set autovacuum = on')
    ) s (name, severity, wanted, advice)
    union all
    select 'synchronous_commit', 'warning', c.value in ('on', 'remote_apply'), c.value,
           'this is the default of the role; callers of gapless.issue are refused with it: set '
           'synchronous_commit = on'
    from (select case when s.setting in ('on', 'remote_apply') then s.reset_val else s.setting end
          from pg_settings s where s.name = 'synchronous_commit') c (value)
    union all
    select 'server_version', 'warning', gapless.server_version_fits(v.number),
           current_setting('server_version'),
           'gapless is made for PostgreSQL 15.20, 16.16, 17.12, 18.7 and later minor versions of these; '
           'earlier ones have faults in serializable INSERT … ON CONFLICT: upgrade the server'
    from (select current_setting('server_version_num')::integer) v (number)
    union all
    select 'foreign_objects', 'risk', count(*) = 0,
           coalesce(
               string_agg(format('%s on gapless.%s', f.what, f.place), ', ' order by f.place, f.what), '0'
           ),
           'it can swallow or change what is inserted, and a number without its row would be issued again: '
           'drop it'
    from foreign_object f where f.alters
    union all
    select 'foreign_triggers', 'warning', count(*) = 0,
           coalesce(
               string_agg(format('%s on gapless.%s', f.what, f.place), ', ' order by f.place, f.what), '0'
           ),
           'not made by gapless: what it does costs every batch, and when it fails, issuing fails; drop it '
           'when it is not needed'
    from foreign_object f where not f.alters
    union all
    select 'clone_detection', 'warning', num_nulls(e.place, e.opened_place) = 0,
           case when num_nulls(e.place, e.opened_place) = 0 then 'on' else 'off' end,
           format(
               'a clone of the data directory that is started beside this server is not noticed, and issues '
               'the same numbers: grant pg_read_all_settings to %I, before a clone is made; a running '
               'gaplessd, or gapless migrate up, then notes where the database is',
               current_user
           )
    from gapless.epoch_state() e
    union all
    select 'old_snapshots', 'warning', count(*) = 0,
           case when count(*) = 0 then '0' else format('%s, the oldest for %s s by pid %s', count(*),
                extract(epoch from max(a.age))::bigint, (array_agg(a.pid order by a.age desc))[1]) end,
           'an old transaction keeps dead versions of the counters, issuing slows down: end it '
           '(pg_terminate_backend)'
    from (select x.pid, clock_timestamp() - x.xact_start as age from pg_stat_activity x
          where coalesce(x.backend_xmin, x.backend_xid) is not null and x.pid <> pg_backend_pid()) a
    where a.age > p_age
    union all
    select 'prepared_transactions', 'warning', count(*) = 0,
           coalesce(string_agg(p.gid, ', ' order by p.prepared), '0'),
           'an old prepared transaction keeps dead versions of the counters: COMMIT PREPARED or ROLLBACK '
           'PREPARED'
    from pg_prepared_xacts p where clock_timestamp() - p.prepared > p_age
    union all
    select 'replication_slots', 'warning', count(*) = 0,
           coalesce(string_agg(r.slot_name, ', ' order by r.slot_name), '0'),
           'a slot that nobody reads keeps WAL and dead versions of the counters: pg_drop_replication_slot'
    from pg_replication_slots r
    where not r.active and (r.xmin is not null or r.catalog_xmin is not null or r.restart_lsn is not null)
    union all
    select 'transaction_age', 'warning', a.age <= 200000000, a.age::text,
           'transaction ids run out at 2 147 483 647, then the server stops: see that autovacuum runs, or '
           'vacuum by hand'
    from (select max(greatest(age(d.datfrozenxid), mxid_age(d.datminmxid))) from pg_database d) a (age)
    union all
    select 'clock', 'warning', c.doubted_at is null,
           case when c.doubted_at is null then to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD')
                else gapless.moment(clock_timestamp()) || ', at the last look ' || gapless.moment(c.looked_at)
           end,
           'the clock of the database went further than time did, so no hold, block or old record ends by '
           'it: set the clock, or if it is right: gapless database accept-clock'
    from gapless.clock c
    union all
    select 'last_stamps', 'warning', count(*) = 0,
           case when count(*) = 0 then '0'
                else format('%s series, the latest %s', count(*), gapless.moment(max(c.last_issued_at))) end,
           'numbers were issued with moments more than an hour ahead of the clock of the database: when it '
           'is right, the next numbers get its moments; when it is behind, set it'
    from gapless.counter c where c.last_issued_at > clock_timestamp() + interval '1 hour'
    union all
    select 'connections', 'warning', c.value >= coalesce(p_connections, 0), c.value::text,
           format(
               'an instance opens up to %s connections: raise max_connections, or the connection limit of '
               'the role or database',
               p_connections
           )
    from (
        select least(
            current_setting('max_connections')::integer
                - current_setting('superuser_reserved_connections')::integer,
            nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)
        )
        from pg_roles r, pg_database d
        where r.rolname = session_user and d.datname = current_database()
    ) c (value)
    union all
    select 'standby_wait', 'warning', count(*) = 0,
           coalesce((array_agg(
               format('pid %s of role %s, since %s', a.pid, a.usename, a.xact_start)
               order by a.xact_start, a.pid
           ))[1], '0'),
           'a COMMIT waits for the standby, and so does every other one: start the standby, or take it out '
           'of synchronous_standby_names; the session that waits is not the culprit, leave it alone'
    from pg_stat_activity a
    where a.wait_event = 'SyncRep' and a.query_start < clock_timestamp() - interval '1 second'
      and exists (
          select from pg_locks l join pg_class c on c.oid = l.relation
          where l.pid = a.pid and l.granted and c.relnamespace = 'gapless'::regnamespace
            and l.database = (select d.oid from pg_database d where d.datname = current_database())
      )
    union all
    select 'standby_missing', 'warning', s.there >= s.wanted or not s.seen,
           case when s.seen then format('%s of %s', s.there, s.wanted) else 'not seen' end,
           'synchronous_standby_names asks for more standbys than are connected, so every COMMIT waits: '
           'start the standby, or take it out of the setting'
    from (
        select case when n.names = '' then 0
                    else coalesce(
                        substring(n.names from '(?i)^\s*(?:first\s+|any\s+)?(\d+)\s*\('), '1'
                    )::bigint
               end,
               (select count(*) from pg_stat_replication r where r.sync_state in ('sync', 'quorum')),
               pg_has_role(current_user, 'pg_read_all_stats', 'usage')
        from (select current_setting('synchronous_standby_names')) n (names)
    ) s (wanted, there, seen)
    union all
    select 'standby_unseen', 'warning',
           current_setting('synchronous_standby_names') = ''
               or pg_has_role(current_user, 'pg_read_all_stats', 'usage'),
           current_user::text,
           format(
               'the owner of the schema may not see whether a COMMIT of another role waits for the standby, '
               'and no reserve is used on its behalf: grant pg_read_all_stats to %I', current_user
           )
    union all
    select 'synchronous_standby_names', 'info', s.value <> '', s.value,
           'without a synchronous standby a failover can lose the last numbers: docs/operations/'
           'backup.md'
    from (select current_setting('synchronous_standby_names')) s (value);
end;
$$;
