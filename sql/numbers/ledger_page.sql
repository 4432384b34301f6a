-- ledger_page(p_series_id, p_after, p_limit, p_reference, p_from, p_to, p_part, p_of, p_block_id, p_last,
-- p_reaches) -> the issued numbers, by the ordinal at which their ledger row starts, then by their own
--
-- A row is one issuance of a run of numbers. A number that was issued again has a row for each time, with the
-- reference and moment of that time; so has a number that was on lease, once it is settled. p_last: only the
-- last time, so that every number ever issued is in exactly one row; if that was in a later cycle
-- (gapless.reused_part), in its row. fate: null for the last time, where the
-- number's state tells the rest; for earlier times, whether they ended as released or expired. The time on
-- lease is left out once the number was issued since. reserve: answered from a lease, at issued_at.
--
-- Returns ledger rows that start after ordinal p_after, have that reference, are of that block, and were
-- issued in p_from…p_to (each null: any). Rows that end before ordinal p_reaches may be left out: so the
-- first page is not filled with what was issued again in front of it. Rows with the same place as the last
-- one are all returned, even beyond p_limit; the next page begins after that place. Only rows with an ordinal
-- of share p_part of p_of: ordinals are dealt to the shares in turn, like cards, so the shares stay the same
-- as the ledger grows. head_ordinal and head_turn say where the issuance begins. Takes no lock.
create or replace function gapless.ledger_page(
    p_series_id integer, p_after bigint, p_limit integer, p_reference text, p_from timestamptz,
    p_to timestamptz, p_part integer default 1, p_of integer default 1, p_block_id integer default null,
    p_last boolean default false, p_reaches bigint default 0
)
returns table (
    ordinal bigint, serial bigint, count integer, block_id integer, head_ordinal bigint, head_turn integer,
    reference text, issued_at timestamptz, epoch integer, hold_seconds integer, reference_erased boolean,
    reserve boolean, fate text, place bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
-- estimates grow with the tables: after years, starting workers would take longer than the query
set max_parallel_workers_per_gather = 0
set jit = off -- and so would compiling
as $$
#variable_conflict use_column
declare
    v_after bigint := p_after; -- for turn 0, whose moments never run backwards
    v_last  bigint := 9223372036854775807;
    v_from  timestamptz := coalesce(p_from, '-infinity');
    v_to    timestamptz := coalesce(p_to, 'infinity');
    v_place bigint := p_after; -- of the last row
    -- ledger rows, and when those drawn from a lease were answered
    v_rows     gapless.ledger[];
    v_answered timestamptz[];
    v_count    integer;
    v_more     integer;
    v_found    integer := 0; -- rows returned so far
    -- What is later than the series' last moment is from before a step back of the clock (issued_between).
    v_latest   timestamptz;
    v_step     timestamptz;
    v_once     boolean; -- nothing was ever issued again
begin
    if p_from is not null then
        v_after := greatest(v_after, gapless.ordinal_at(p_series_id, p_from) - 1);
    end if;
    if p_to is not null then
        v_last := least(v_last, gapless.ordinal_at(p_series_id, p_to + interval '1 microsecond') - 1);
    end if;
    if p_block_id is not null then
        -- If nothing of the block was issued, or it does not exist, both become null, and no row matches.
        select greatest(v_after, lower(u.ordinals) - 1), least(v_last, upper(u.ordinals) - 1)
        into v_after, v_last
        from gapless.block b
        cross join lateral gapless.used_part(b) u
        where b.series_id = p_series_id and b.block_id = p_block_id and not isempty(u.ordinals);
    end if;

    select c.last_issued_at, c.turn = 0,
           (select max(s.at) from gapless.clock_step s where s.series_id = p_series_id)
    into v_latest, v_once, v_step
    from gapless.counter c
    where c.series_id = p_series_id;

    if p_reference is null and v_once
       and not (p_last and exists (
           select
           from gapless.series s
           join gapless.block b on b.space = s.space and b.cycle > 1 and b.state <> 'withdrawn'
           where s.series_id = p_series_id))
    then
        return query -- the usual case
            select l.ordinal, l.serial, l.count, l.block_id, coalesce(l.head_ordinal, l.ordinal),
                   coalesce(l.head_turn, 0), l.reference, l.issued_at, l.epoch, l.hold_seconds,
                   l.reference_digest is not null, false, null::text, l.ordinal + l.count - 1
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0 and l.ordinal > v_after and l.ordinal <= v_last
              and (p_of = 1 or l.count >= p_of or mod(p_part + p_of - mod(l.ordinal, p_of), p_of) < l.count)
            order by l.ordinal
            limit p_limit;
        return;
    end if;
    loop
        -- Read the ledger rows first, each kind in index order, so that the cost depends on the page alone.
        select array_agg(r.o order by r.ordinal, r.turn), array_agg(r.answered_at order by r.ordinal, r.turn),
               count(*), max(r.ordinal)
        into v_rows, v_answered, v_count, v_place
        from (
            select r.o, r.ordinal, r.turn, r.answered_at
            from (
                (select o, o.ordinal, o.turn, null::timestamptz as answered_at
                 from gapless.ledger o
                 where p_reference is null and o.series_id = p_series_id and o.turn = 0
                   and o.ordinal > v_after and o.ordinal <= v_last
                 order by o.ordinal
                 limit p_limit)
                union all
                (select o, o.ordinal, o.turn, null::timestamptz
                 from gapless.ledger o
                 where p_reference is null and o.series_id = p_series_id and o.turn > 0
                   and o.ordinal > v_place and o.ordinal + o.count > p_reaches
                   and least(o.issued_at, case when o.issued_at > v_latest then v_step end)
                       between v_from and v_to
                   and (p_block_id is null or o.block_id = p_block_id)
                   and not exists (
                       select from gapless.lease_record k
                       where k.series_id = p_series_id and k.ordinal = o.ordinal and k.turn = o.turn)
                 order by o.ordinal
                 fetch first p_limit rows with ties)
                union all
                (select o, k.ordinal, k.turn, k.answered_at
                 from gapless.lease_record k
                 join gapless.ledger o
                   on o.series_id = p_series_id and o.turn = k.turn and o.ordinal = k.ordinal
                 where p_reference is null and k.series_id = p_series_id and k.ordinal > v_place
                   and k.ordinal + o.count > p_reaches
                   and least(k.answered_at, case when o.issued_at > v_latest then v_step end)
                       between v_from and v_to
                   and (p_block_id is null or o.block_id = p_block_id)
                 order by k.ordinal
                 fetch first p_limit rows with ties)
                union all
                (select o, o.ordinal, o.turn, k.answered_at
                 from gapless.ledger o
                 left join gapless.lease_record k
                   on k.series_id = p_series_id and k.ordinal = o.ordinal and k.turn = o.turn
                 where o.series_id = p_series_id and o.reference = p_reference and o.ordinal > v_place
                   and o.ordinal + o.count > p_reaches
                   and least(coalesce(k.answered_at, o.issued_at),
                             case when o.issued_at > v_latest then v_step end) between v_from and v_to
                   and (p_block_id is null or o.block_id = p_block_id)
                 order by o.ordinal
                 fetch first p_limit rows with ties)
            ) r
            order by r.ordinal
            fetch first p_limit rows with ties
        ) r;
        return query
            select n.ordinal, l.serial + (n.ordinal - l.ordinal), n.count, l.block_id,
                   coalesce(l.head_ordinal, l.ordinal), coalesce(l.head_turn, l.turn), l.reference,
                   coalesce(v_answered[l.ordinality], l.issued_at), l.epoch, l.hold_seconds,
                   l.reference_digest is not null, v_answered[l.ordinality] is not null, n.fate, l.ordinal
            from unnest(v_rows) with ordinality l
            cross join lateral (
                select int8multirange(int8range(l.ordinal, l.ordinal + l.count)) as numbers,
                       coalesce(range_agg(int8range(e.first_ordinal, e.last_ordinal, '[]')), '{}') as again
                from gapless.number_event e
                where e.series_id = p_series_id and e.kind = 'reissued' and e.turn > l.turn
                  and int8range(e.first_ordinal, e.last_ordinal, '[]')
                      && int8range(l.ordinal, l.ordinal + l.count)
            ) a
            cross join lateral (
                select coalesce(range_agg(u.ordinals), '{}') as reused
                from gapless.reused_part(l.series_id, l.block_id, l.ordinal, l.serial, l.count) u
                where p_last
            ) u
            cross join lateral (
                select coalesce((
                    select h.expired
                    from gapless.hold h
                    where h.series_id = p_series_id and h.turn = coalesce(l.head_turn, l.turn)
                      and h.ordinal = coalesce(l.head_ordinal, l.ordinal)
                ), '{}') as expired
            ) h
            cross join lateral (
                select lower(r) as ordinal, (upper(r) - lower(r))::integer as count, f.fate
                from (
                    values (null, a.numbers - a.again - u.reused),
                           ('released', a.numbers * a.again - h.expired),
                           ('expired', a.numbers * a.again * h.expired)
                ) f (fate, numbers)
                cross join lateral unnest(f.numbers) as r
                where f.fate is null
                   or not p_last and l.hold_seconds is distinct from gapless.hold_for_ever()
            ) n
            where p_of = 1 or n.count >= p_of or mod(p_part + p_of - mod(n.ordinal, p_of), p_of) < n.count
            order by l.ordinality, n.ordinal;
        get diagnostics v_more = row_count;
        v_found := v_found + v_more;
        exit when v_count < p_limit or v_found >= p_limit;
        v_after := greatest(v_after, v_place);
    end loop;
end;
$$;
