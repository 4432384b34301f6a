-- number_history(p_series_id, p_ordinal) -> everything that happened to the number with that ordinal, oldest
-- first
--
-- kind: issued or held (from the ledger, once for each time), leased (by an instance, which is the actor),
-- and the events since. A number answered from a lease counts as issued at the moment of that answer.
create or replace function gapless.number_history(p_series_id integer, p_ordinal bigint)
returns table (kind text, at timestamptz, actor text, reason text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
-- estimates grow with the tables: after years, starting workers would take longer than the query
set max_parallel_workers_per_gather = 0
set jit = off -- and so would compiling
as $$
    select h.kind, h.at, h.actor, h.reason
    from (
        select case
               when e.lease is not null then 'leased'
               when l.hold_seconds is null then 'issued'
               else 'held'
               end as kind,
               l.issued_at as at,
               case when e.lease is not null then gapless.lease_actor(e.instance) else o.name end as actor,
               l.reference as reason, 0::bigint as place
        from (
            select *
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0 and l.ordinal <= p_ordinal
            order by l.ordinal desc
            limit 1
        ) l
        join gapless.token_owner o using (owner_id)
        left join gapless.lease e on e.series_id = l.series_id and e.turn = 0 and e.ordinal = l.ordinal
        where p_ordinal < l.ordinal + l.count
        union all
        select case
            when e.kind <> 'reissued' then e.kind
            when l.hold_seconds is null then 'issued'
            else 'held'
            end,
               coalesce(k.answered_at, e.at), coalesce(o.name, e.actor),
               coalesce(l.reference, e.reason), e.event_id
        from gapless.number_event e
        left join gapless.ledger l on l.series_id = e.series_id and l.turn = e.turn
            and l.ordinal = e.first_ordinal
        left join gapless.token_owner o using (owner_id)
        left join gapless.lease_record k on k.series_id = l.series_id and k.ordinal = l.ordinal
            and k.turn = l.turn
        where e.series_id = p_series_id and int8range(e.first_ordinal, e.last_ordinal, '[]') @> p_ordinal
    ) h
    order by h.place;
$$;
