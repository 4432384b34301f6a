-- lease_settle_new(p_lease, p_news, p_turns, p_ordinals, p_counts, p_owners, p_keys, p_references,
-- p_answered, p_actor) -> p_turns, completed for the records p_news, and which of these had a spent key
--
-- The part of gapless.lease_settle that issues, all records in one set of statements: makes their numbers
-- free, and issues them again in a ledger row each. The caller must have locked counter, tally, lease and
-- hold; the numbers of p_news must be held by the lease or written off.
create or replace function gapless.lease_settle_new(
    p_lease gapless.lease, p_news integer[], p_turns integer[], p_ordinals bigint[], p_counts integer[],
    p_owners integer[], p_keys uuid[], p_references text[], p_answered timestamptz[], p_actor text,
    out turns integer[], out twice integer[]
)
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_counter gapless.counter;
    v_moment  timestamptz;
    v_entries gapless.ledger_entry[];
    v_arrived bigint;
begin
    turns := p_turns;
    twice := '{}';
    if cardinality(p_news) = 0 then
        return;
    end if;
    select * into v_counter from gapless.counter c where c.series_id = p_lease.series_id;
    v_moment := gapless.next_moment(v_counter);
    perform gapless.lease_free(
        p_lease => p_lease,
        p_numbers => (
            select range_agg(int8range(p_ordinals[n], p_ordinals[n] + p_counts[n])) from unnest(p_news) as n
        ),
        p_actor => p_actor
    );

    select array_agg(gapless.ledger_entry(
               p_series_id => p_lease.series_id, p_ordinal => r.ordinal,
               p_serial => b.serial + (r.ordinal - p_lease.ordinal), p_count => r.count,
               p_block_id => b.block_id, p_owner_id => r.owner_id, p_epoch => b.epoch, -- the answer's epoch
               p_issued_at => v_moment, p_reference => r.reference,
               p_key => case
                        when r.is_spent then gapless.lease_key(r.key, p_lease.lease, r.ordinal)
                        else r.key
                        end,
               p_turn => v_counter.turn + r.place
           ) order by r.place),
           coalesce(array_agg(r.record order by r.place) filter (where r.is_spent), '{}')
    into v_entries, twice
    from (
        select n.*, s.found is not null
               or row_number() over (partition by n.owner_id, n.key order by n.place) > 1 as is_spent
        from (
            select n.record, n.place::integer as place, p_ordinals[n.record] as ordinal,
                   p_counts[n.record] as count, p_owners[n.record] as owner_id,
                   p_keys[n.record] as key, p_references[n.record] as reference
            from unnest(p_news) with ordinality as n (record, place)
        ) n
        left join lateral (
            select true as found from gapless.ledger l
            where l.key = n.key and l.owner_id = n.owner_id
            limit 1 -- ensures one index descent
        ) s on true
    ) r
    join gapless.ledger b
      on b.series_id = p_lease.series_id and b.turn = p_lease.turn and b.ordinal = p_lease.ordinal;
    perform gapless.ledger_insert(v_entries);

    insert into gapless.lease_record (series_id, ordinal, count, turn, lease, answered_at, spent_key)
    select e.series_id, e.ordinal, e.count, e.turn, p_lease.lease, p_answered[n.record],
           case when e.key <> p_keys[n.record] then p_keys[n.record] end
    from unnest(v_entries) e
    join unnest(p_news) with ordinality as n (record, place) on n.place = e.turn - v_counter.turn;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, cardinality(p_news), 'lease_record');
    perform gapless.lease_told_twice(p_lease, p_ordinals[t], p_owners[t], p_keys[t], p_actor)
    from unnest(twice) as t;
    select array_agg(coalesce(t.turn, v_counter.turn + n.place::integer) order by t.record) into turns
    from unnest(p_turns) with ordinality as t (turn, record)
    left join unnest(p_news) with ordinality as n (record, place) on n.record = t.record;
end;
$$;
