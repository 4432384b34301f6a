-- verify_proposals(p_series_id) -> findings about proposals: each was made once and settled at most once, as
-- the audit log says, by whom it says, and confirming it loaded its blocks
create or replace function gapless.verify_proposals(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with act as (
        select a.subject, max(a.after ->> 'series') as series,
               count(*) filter (where a.action = 'proposal.make') as made,
               count(*) filter (where a.action = 'proposal.confirm') as confirmed,
               count(*) filter (where a.action = 'proposal.reject') as rejected,
               max(a.before ->> 'proposed_by') as proposed_by,
               max(coalesce(o.name, 'role:' || a.role)) -- gapless.acting_person
                   filter (where a.action <> 'proposal.make') as settled_by
        from gapless.audit_log a
        left join gapless.token t using (token_id)
        left join gapless.token_owner o on o.owner_id = t.person_id
        where a.action in ('proposal.make', 'proposal.confirm', 'proposal.reject')
        group by a.subject
    ), wrong (at, what) as (
        select format('proposal %s', coalesce(a.subject, p.proposal_id::text)), case
               when p.proposal_id is null then 'is gone, the audit log knows of it'
               when (a.series, a.made, a.confirmed, a.rejected) is distinct from (
                   gapless.series_name(p.series_id), 1::bigint, (p.state = 'confirmed')::integer::bigint,
                   (p.state = 'rejected')::integer::bigint
               )
                   then format(
                       'counts as %s; by the audit log it was made %s times, confirmed %s and rejected %s',
                       p.state, coalesce(a.made, 0), coalesce(a.confirmed, 0), coalesce(a.rejected, 0)
                   )
               when p.state <> 'proposed' and (p.proposed_by, p.settled_by) <> (a.proposed_by, a.settled_by)
                   then format(
                       'was proposed by %s and %s by %s; by the audit log, by %s and %s',
                       p.proposed_by, p.state, p.settled_by, a.proposed_by, a.settled_by
                   )
               when p.state = 'confirmed' and l.blocks <> cardinality(p.firsts)
                   then format(
                       'was confirmed, but of its %s blocks %s were loaded', cardinality(p.firsts), l.blocks
                   )
               end
        from gapless.proposal p
        full join act a on a.subject = p.proposal_id::text
        left join lateral (
            select count(*) as blocks
            from unnest(p.firsts, p.lasts) as n (first, last)
            join gapless.block b on b.series_id = p.series_id and b.last_serial = n.last
                and coalesce(b.assigned_serial, b.first_serial) = n.first and b.loaded_at = p.settled_at
        ) l on true
        where p.series_id = p_series_id
           or p.proposal_id is null and a.series = gapless.series_name(p_series_id)
    )
    select coalesce(jsonb_agg(gapless.finding(w.at, w.at || ' ' || w.what) order by w.at), '[]')
    from (select * from wrong where what is not null order by at limit 10) w;
$$;
