-- lease_settle(p_lease, p_instance, p_incarnation, p_ordinals, p_counts, p_owners, p_keys, p_references,
-- p_answered) -> what became of each record of answers that were given from a lease, in their order
--
-- Element k of the arrays is record k (from 1): the numbers from that ordinal on, for whom, under which key
-- and with which reference, and when it was answered. Its numbers become free and leave in a later turn of
-- the ledger. outcome: settled; known: this record was settled before, nothing is changed; twice: its key
-- was spent on another issuance meanwhile, so these numbers leave under a key of their own, and an audit row
-- names both; fenced: its numbers are neither held by the lease nor written off. Then the fence is raised,
-- nothing else is changed, and every record that is not known is fenced. ordinal, turn: where the issuance
-- begins; turn is null of what is fenced.
--
-- Whoever has a journal may settle it, also a copy (p_incarnation is not asked), since what is settled is
-- told by numbers and key; without p_instance it is an operator with scope admin (GL003, GL004:
-- gapless.require_scope). Neither a pause nor the end of the block is in its way. Raises GL001 for arrays
-- that differ in length or lack something, GL008 for an unknown lease, GL019 while the database is fenced or
-- moved, GL020 in an unsafe session, 40001 when a key was spent at this moment. Locks counter, tally, lease,
-- then hold.
create or replace function gapless.lease_settle(
    p_lease uuid, p_instance uuid, p_incarnation integer, p_ordinals bigint[], p_counts integer[],
    p_owners integer[], p_keys uuid[], p_references text[], p_answered timestamptz[]
)
returns table (record integer, outcome text, ordinal bigint, turn integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- as gapless.issue_requests
as $$
#variable_conflict use_column
declare
    v_size   integer := cardinality(p_ordinals);
    v_lease  gapless.lease;
    v_mine   int8multirange; -- what may be settled
    v_turns  integer[];      -- of each record, where it is settled already; then of all
    v_firsts integer[];      -- of each record, the first one that is the same
    v_known  boolean[];
    v_news   integer[];      -- those that are not, each once
    v_odd    integer;        -- the first of these with numbers that are not the lease's
    v_twice  integer[];
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
    v_actor := case
        when p_instance is null
            then gapless.require_scope('admin', gapless.series_name(v_lease.series_id), session_user::text)
        else gapless.lease_actor(v_lease.instance)
        end;
    v_mine := gapless.lease_lock(p_lease, v_lease.series_id);
    perform gapless.refuse_while_fenced(v_lease.series_id);

    select array_agg(s.turn order by s.record), array_agg(s.first order by s.record),
           array_agg(not s.new order by s.record),
           coalesce(array_agg(s.record order by s.record) filter (where s.new), '{}'),
           min(s.record) filter (where s.new and (s.overlaps or not s.numbers <@ v_mine))
    into v_turns, v_firsts, v_known, v_news, v_odd
    from (
        select r.record, r.first, r.turn, r.numbers, r.turn is null and r.record = r.first as new,
               max(case when r.turn is null and r.record = r.first then upper(r.numbers) end) over (
                   order by lower(r.numbers), r.record rows between unbounded preceding and 1 preceding
               ) > lower(r.numbers) as overlaps
        from gapless.lease_known(v_lease.series_id, p_ordinals, p_counts, p_keys) r
    ) s;

    if v_odd is not null then
        perform gapless.fence_raise(
            format('of series %s the ordinals %s to %s were answered from lease %s, which has not got them: '
                   'they are neither held by it nor written off',
                   gapless.series_name(v_lease.series_id), p_ordinals[v_odd],
                   p_ordinals[v_odd] + p_counts[v_odd] - 1, p_lease),
            v_actor);
        return query
            select r.record::integer, case when r.turn is null then 'fenced' else 'known' end, r.ordinal,
                   r.turn
            from unnest(p_ordinals, v_turns) with ordinality as r (ordinal, turn, record)
            order by r.record;
        return;
    end if;

    select s.turns, s.twice into v_turns, v_twice
    from gapless.lease_settle_new(
        p_lease => v_lease, p_news => v_news, p_turns => v_turns, p_ordinals => p_ordinals,
        p_counts => p_counts, p_owners => p_owners, p_keys => p_keys, p_references => p_references,
        p_answered => p_answered, p_actor => v_actor
    ) s;
    return query
        select r.record::integer,
               case
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
