-- lease_settle(p_lease, p_instance, p_secret, p_ordinals, p_counts, p_owners, p_keys, p_references,
-- p_answered) -> the outcome for each record of an answer from a lease, in their order
--
-- Element k of the arrays is record k (from 1): its first ordinal and count, owner, key and reference, and
-- when it was answered. Its numbers become free and are issued in a later turn of the ledger. outcome:
-- settled; known: this record was settled before, nothing changes; twice: its key was meanwhile spent on
-- another issuance, so these numbers are issued under a key of their own, and an audit row names both;
-- fenced: its numbers are neither held by the lease nor written off. The fence is then raised, these records
-- are noted (gapless.lease_conflict: gapless.verify_leases finds them), nothing else changes, and every
-- record that is not known is fenced; conflict: it was noted so before, and raises no second fence. ordinal,
-- turn: where the issuance begins; turn is null for fenced and conflict.
--
-- An answer whose owner is unknown, or was created after it, was for somebody whom a restore forgot: the id
-- may be another's now. Its numbers are issued to the lease's own owner (lease:INSTANCE), and an audit row
-- tells it.
--
-- Whoever has a journal may settle it, even a copy: no incarnation is checked, since numbers and key tell
-- what is settled. The journal has the secret of the lease's instance (GL004: gapless.require_secret; GL014
-- for another instance's lease). With p_instance null the caller is an operator with scope admin (GL003,
-- GL004: gapless.require_scope). Works even if the series is paused or the block has ended. Raises GL001 if
-- the arrays differ in length or lack something, GL008 for an unknown lease, GL019 while the database is
-- fenced or moved, GL020 in an unsafe session, 40001 if a key is being spent at this moment. Locks counter,
-- tally, lease, then hold.
create or replace function gapless.lease_settle(
    p_lease uuid, p_instance uuid, p_secret bytea, p_ordinals bigint[], p_counts integer[],
    p_owners integer[], p_keys uuid[], p_references text[], p_answered timestamptz[]
)
returns table (record integer, outcome text, ordinal bigint, turn integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- as in gapless.issue_requests
as $$
#variable_conflict use_column
declare
    v_size   integer := cardinality(p_ordinals);
    v_lease  gapless.lease;
    v_mine   int8multirange; -- what may be settled
    v_turns  integer[];      -- of each record, once it is settled
    v_firsts integer[];      -- of each record, the first one that equals it
    v_known  boolean[];
    v_news   integer[];      -- those neither known nor noted, each once
    v_odd    integer[];      -- those of v_news with numbers that are not the lease's
    v_noted  integer[];      -- those noted as conflicts before
    v_twice  integer[];
    v_owners integer[];      -- of each record: its own, or the lease's
    v_arrived bigint;
    v_actor  text;
begin
    perform gapless.assert_safe_to_issue(false);
    if array[cardinality(p_counts), cardinality(p_owners), cardinality(p_keys), cardinality(p_references),
             cardinality(p_answered)] is distinct from array[v_size, v_size, v_size, v_size, v_size]
       or array_position(p_ordinals, null) is not null or array_position(p_counts, null) is not null
       or array_position(p_owners, null) is not null or array_position(p_keys, null) is not null
       or array_position(p_answered, null) is not null or 1 > any (p_counts)
    then
        raise exception 'the arrays of % records differ in length or lack something', v_size
            using errcode = 'GL001';
    end if;
    select * into v_lease from gapless.lease l where l.lease = p_lease;
    if p_instance is null then
        v_actor := gapless.require_scope(
            'admin', gapless.series_name(v_lease.series_id), session_user::text
        );
    elsif v_lease.instance <> p_instance then
        raise exception 'lease % is of another instance', p_lease using errcode = 'GL014';
    elsif v_lease.lease is not null then
        perform gapless.require_secret(p_instance, p_secret);
        v_actor := gapless.lease_actor(p_instance);
    end if;
    v_mine := gapless.lease_lock(p_lease, v_lease.series_id);
    perform gapless.refuse_while_fenced(v_lease.series_id);

    select array_agg(s.turn order by s.record), array_agg(s.first order by s.record),
           array_agg(not s.new order by s.record),
           coalesce(array_agg(s.record order by s.record) filter (where s.new), '{}'),
           array_agg(s.record order by s.record)
               filter (where s.new and (s.overlaps or not s.numbers <@ v_mine)),
           coalesce(array_agg(s.record order by s.record) filter (where s.noted), '{}')
    into v_turns, v_firsts, v_known, v_news, v_odd, v_noted
    from (
        select r.*,
               max(case when r.new then upper(r.numbers) end) over (
                   order by lower(r.numbers), r.record rows between unbounded preceding and 1 preceding
               ) > lower(r.numbers) as overlaps
        from (
            select r.record, r.first, r.turn, r.numbers, c.key is not null as noted,
                   r.turn is null and r.record = r.first and c.key is null as new
            from gapless.lease_known(v_lease.series_id, p_ordinals, p_counts, p_keys) r
            left join gapless.lease_conflict c
              on c.series_id = v_lease.series_id and c.lease = p_lease and c.ordinal = p_ordinals[r.record]
             and c.count = p_counts[r.record] and c.key = p_keys[r.record]
        ) r
    ) s;

    if v_odd is not null then
        insert into gapless.lease_conflict (series_id, ordinal, count, lease, owner_id, key, answered_at)
        select v_lease.series_id, p_ordinals[o], p_counts[o], p_lease, p_owners[o], p_keys[o], p_answered[o]
        from unnest(v_odd) as o;
        get diagnostics v_arrived = row_count;
        perform gapless.expect_rows(v_arrived, cardinality(v_odd), 'lease_conflict');
        perform gapless.fence_raise(
            format('of series %s the ordinals %s to %s were answered from lease %s, which has not got them: '
                   'they are neither held by it nor written off',
                   gapless.series_name(v_lease.series_id), p_ordinals[v_odd[1]],
                   p_ordinals[v_odd[1]] + p_counts[v_odd[1]] - 1, p_lease),
            v_actor);
        return query
            select r.record::integer,
                   case
                   when r.record = any (v_noted) then 'conflict'
                   when r.turn is null then 'fenced'
                   else 'known'
                   end, r.ordinal, r.turn
            from unnest(p_ordinals, v_turns) with ordinality as r (ordinal, turn, record)
            order by r.record;
        return;
    end if;

    select array_agg(
               coalesce(o.owner_id, gapless.owner_id('lease:' || v_lease.instance)) order by r.record
           )
    into v_owners
    from unnest(p_owners, p_answered) with ordinality as r (owner_id, answered_at, record)
    left join gapless.token_owner o on o.owner_id = r.owner_id and o.created_at <= r.answered_at;
    select s.turns, s.twice into v_turns, v_twice
    from gapless.lease_settle_new(
        p_lease => v_lease, p_news => v_news, p_turns => v_turns, p_ordinals => p_ordinals,
        p_counts => p_counts, p_owners => v_owners, p_keys => p_keys, p_references => p_references,
        p_answered => p_answered, p_actor => v_actor
    ) s;
    perform gapless.audit(
        p_actor => v_actor, p_action => 'lease.owner_unknown',
        p_subject => gapless.series_name(v_lease.series_id), p_before => null,
        p_after => jsonb_build_object(
            'lease', p_lease, 'owner_id', p_owners[n], 'ordinal', p_ordinals[n]::text, 'turn', v_turns[n],
            'number', gapless.number_at(v_lease.series_id, p_ordinals[n]), 'count', p_counts[n],
            'answered_at', p_answered[n]
        )
    )
    from unnest(v_news) as n
    where v_owners[n] <> p_owners[n];
    return query
        select r.record::integer,
               case
               when r.record = any (v_noted) then 'conflict'
               when r.is_known then 'known'
               when r.record = any (v_twice) then 'twice'
               else 'settled'
               end, r.ordinal, v_turns[r.first]
        from unnest(p_ordinals, v_known, v_firsts)
            with ordinality as r (ordinal, is_known, first, record)
        order by r.record;
exception
    when unique_violation then
        raise exception 'a key was spent on another request at this moment: %', sqlerrm
            using errcode = 'serialization_failure';
end;
$$;
