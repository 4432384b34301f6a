-- verify_leases(p_series_id) -> findings about leases: each is a hold of one run of fresh numbers that never
-- expires; each number of it is held, settled, returned or written off, and only one of these; settled
-- numbers were issued again as their record says; and no number was answered from a lease that did not have
-- it
--
-- Such a number may be on two parcels, whoever owns it here: it stays a finding until it is voided.
--
-- Numbers neither held, settled nor written off were returned; only a closed lease has any.
create or replace function gapless.verify_leases(p_series_id integer) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
    with lease as (
        select l.*, h.held, h.confirmed, h.expired, h.released, h.expires_at,
               int8multirange(int8range(l.ordinal, l.ordinal + l.count)) as run, r.count as left_count,
               r.key, k.settled, k.settled_count
        from gapless.lease l
        left join gapless.hold h using (series_id, turn, ordinal)
        left join gapless.ledger r using (series_id, turn, ordinal)
        cross join lateral (
            select coalesce(range_agg(int8range(k.ordinal, k.ordinal + k.count)), '{}') as settled,
                   coalesce(sum(k.count), 0) as settled_count
            from gapless.lease_record k
            where k.series_id = l.series_id and k.lease = l.lease
              and k.ordinal >= l.ordinal and k.ordinal < l.ordinal + l.count
        ) k
        where l.series_id = p_series_id
    ), wrong (at, what) as (
        select l.ordinal, case
               when l.held is null then format('lease %s has no hold', l.lease)
               when l.key is distinct from l.lease or l.left_count is distinct from l.count
                    or l.expires_at <> 'infinity'
                   then format('lease %s is not the hold that was issued there', l.lease)
               when not isempty(l.confirmed) or not isempty(l.expired) or l.held + l.released <> l.run
                   then format('the hold of lease %s was settled as other holds are', l.lease)
               when l.status in ('closed', 'lost') and not isempty(l.held)
                   then format('lease %s is %s, but holds numbers', l.lease, l.status)
               when l.held + l.settled + l.written_off <> (l.held + l.settled + l.written_off) * l.run
                    or gapless.size_of(l.held) + l.settled_count + gapless.size_of(l.written_off)
                       <> gapless.size_of(l.held + l.settled + l.written_off)
                   then format('numbers of lease %s are held, settled or written off twice', l.lease)
               when l.status <> 'closed' and l.held + l.settled + l.written_off <> l.run
                   then format(
                       'lease %s is %s, but of its numbers some are neither held nor settled nor written '
                       'off',
                       l.lease, l.status
                   )
               when l.status = 'closed' and not isempty(l.written_off)
                   then format('lease %s was returned, but numbers of it are written off', l.lease)
               end
        from lease l
        union all
        select l.ordinal, format('numbers that lease %s wrote off are not voided', l.lease)
        from lease l
        where not isempty(l.written_off) and not l.written_off <@ (
            select coalesce(range_agg(r), '{}')
            from gapless.number_state s
            cross join lateral unnest(s.numbers) as r
            where s.series_id = l.series_id and s.state = 'voided'
              and s.chunk between gapless.chunk_of(l.ordinal) and gapless.chunk_of(l.ordinal + l.count - 1)
        )
        union all
        select h.ordinal, 'a hold there never expires, but it is of no lease'
        from gapless.hold h
        where h.series_id = p_series_id and h.expires_at = 'infinity' and not exists (
            select
            from gapless.lease l
            where l.series_id = h.series_id and l.turn = h.turn and l.ordinal = h.ordinal
        )
        union all
        select k.ordinal, case
               when l.lease is null then format('was settled from lease %s, which did not have it', k.lease)
               when k.turn < 1 or r.count is distinct from k.count
                   then 'was settled from a lease, the ledger does not say so'
               when k.spent_key is not null
                    and r.key <> gapless.lease_key(k.spent_key, k.lease, k.ordinal)
                   then 'was settled under a key that is not the one of its record'
               end
        from gapless.lease_record k
        left join gapless.lease l on l.lease = k.lease and l.series_id = k.series_id
            and k.ordinal >= l.ordinal and k.ordinal + k.count <= l.ordinal + l.count
        left join gapless.ledger r
          on r.series_id = k.series_id and r.turn = k.turn and r.ordinal = k.ordinal
        where k.series_id = p_series_id
        union all
        select c.ordinal, format(
                   'the numbers %s to %s were answered from lease %s, which had not got them: they may be on '
                   'two parcels, and have to be voided',
                   gapless.number_at(c.series_id, c.ordinal),
                   gapless.number_at(c.series_id, c.ordinal + c.count - 1), c.lease
               )
        from gapless.lease_conflict c
        where c.series_id = p_series_id and not int8multirange(int8range(c.ordinal, c.ordinal + c.count)) <@ (
            select coalesce(range_agg(r), '{}')
            from gapless.number_state s
            cross join lateral unnest(s.numbers) as r
            where s.series_id = c.series_id and s.state = 'voided'
              and s.chunk between gapless.chunk_of(c.ordinal) and gapless.chunk_of(c.ordinal + c.count - 1)
        )
    )
    select coalesce(
        jsonb_agg(gapless.finding(format('ordinal %s', w.at), w.what) order by w.at, w.what), '[]'
    )
    from (select * from wrong where what is not null order by at, what limit 10) w;
$$;
