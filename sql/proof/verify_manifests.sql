-- verify_manifests(p_series_id) -> findings about closed days: each was closed by whom and when the audit log
-- says, holds as many numbers as that and its parts say, those that its closing made manifested, and none is
-- on two of them
create or replace function gapless.verify_manifests(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- join sets, whatever the planner thinks of the tables' sizes
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with part as (
        select m.day, sum(gapless.size_of(m.numbers)) as numbers
        from gapless.manifest_part m
        where m.series_id = p_series_id
        group by m.day
    ), act as (
        select (a.after ->> 'day')::date as day, (a.after ->> 'count')::bigint as count, a.at, a.actor
        from gapless.audit_log a
        where a.action = 'manifest.close' and a.subject = gapless.series_name(p_series_id)
    ), reported as (
        select m.chunk, range_agg(r) as numbers, sum(upper(r) - lower(r)) as counted
        from gapless.manifest_part m
        cross join lateral unnest(m.numbers) as r
        where m.series_id = p_series_id
        group by m.chunk
    ), manifested as (
        select m.day, c.chunk, range_agg(int8range(e.first_ordinal, e.last_ordinal, '[]')) as numbers
        from gapless.number_event e
        -- Written in the transaction that closed the day. The reason names it in the style of that session.
        join gapless.manifest m on m.series_id = e.series_id and m.created_at = e.at
        cross join lateral generate_series(
            gapless.chunk_of(e.first_ordinal), gapless.chunk_of(e.last_ordinal)
        ) as c (chunk)
        where e.series_id = p_series_id and e.kind = 'manifested'
        group by m.day, c.chunk
    ), wrong (at, what) as (
        select format('manifest %s', d.day),
               format('%s numbers were reported that day, the manifest says %s and holds %s',
                      coalesce(d.reported::text, 'no'), coalesce(d.said::text, 'nothing'), d.held)
        from (
            select day, a.count as reported, m.count as said, coalesce(p.numbers, 0) as held
            from act a
            full join (
                select m.day, m.count from gapless.manifest m where m.series_id = p_series_id
            ) m using (day)
            full join part p using (day)
        ) d
        where (d.reported = d.said and d.said = d.held) is not true
        union all
        select format('manifest %s', m.day), 'was not closed by whom and when the audit log says'
        from gapless.manifest m
        join act a using (day)
        where m.series_id = p_series_id
          and (a.at <> m.created_at or a.actor not in (m.created_by, 'sql:' || m.created_by))
        union all
        select format('ordinal %s', lower(r.numbers)), 'a number near there is on two manifests'
        from reported r
        where r.counted <> gapless.size_of(r.numbers)
        union all
        select format('ordinal %s', lower(m.numbers - coalesce(e.numbers, '{}'))),
               format('is on manifest %s, whose closing did not make it manifested', m.day)
        from gapless.manifest_part m
        left join manifested e using (day, chunk)
        where m.series_id = p_series_id and not m.numbers <@ coalesce(e.numbers, '{}')
    )
    select coalesce(jsonb_agg(gapless.finding(w.at, w.what) order by w.at), '[]')
    from (select * from wrong order by at limit 10) w;
$$;
