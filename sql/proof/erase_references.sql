-- erase_references(p_audit_id, p_reference, p_turn, p_ordinal, p_limit) -> how many were erased, and where to
-- continue
--
-- One step of an erasure that gapless.erasure_begin put on record: reads at most p_limit ledger rows, and
-- removes text and salt of the references among them for ever. Their digest stays, so that the chain and
-- every anchor still prove the row. p_reference is the text, if the erasure is of one text; otherwise this
-- reads rows after (p_turn, p_ordinal), starting at (0, 0), that were issued or answered before its moment.
-- Leaves what was issued since the erasure was put on record: its row would count too few.
-- more: call it again with the turn and ordinal returned. An interrupted erasure may continue from anywhere.
--
-- Raises GL008 for an erasure that is not on record, GL019 while the database is prepared for a move: the
-- copy would keep the references. Locks the rows it erases; issuing continues, and another
-- erasure of the series waits. Never SERIALIZABLE (raises 25001): its predicate locks would abort issuing.
create or replace function gapless.erase_references(
    p_audit_id bigint, p_reference text, p_turn integer, p_ordinal bigint, p_limit integer,
    out erased bigint, out turn integer, out ordinal bigint, out more boolean
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_series_id integer;
    v_before    timestamptz;
    v_through   bigint;  -- the marks of gapless.erasure_begin
    v_turns     integer;
    v_looked    bigint; -- how many of these rows the erasure covers
    v_places    tid[];
    v_again     boolean := p_turn > 0 or p_ordinal = 9223372036854775807; -- after all of turn 0
begin
    if current_setting('transaction_isolation') = 'serializable' then
        raise exception 'references are erased at read committed, not serializable'
            using errcode = 'active_sql_transaction';
    end if;
    select s.series_id, (a.after ->> 'before')::timestamptz, (a.after ->> 'through')::bigint,
           (a.after ->> 'turns')::integer
    into v_series_id, v_before, v_through, v_turns
    from gapless.audit_log a
    join gapless.series s on s.name = a.subject
    where a.audit_id = p_audit_id and a.action = 'reference.erase'
      and (a.after ? 'before') = (p_reference is null);
    if not found then
        raise exception 'no erasure of this kind is on record as %', p_audit_id using errcode = 'GL008';
    end if;
    perform pg_advisory_xact_lock(28261, v_series_id); -- "ne" in ASCII
    perform gapless.refuse_while_moving();

    if p_reference is not null then
        select array_agg(l.ctid), count(*) into v_places, v_looked
        from (
            select l.ctid
            from gapless.ledger l
            where l.series_id = v_series_id and l.reference = p_reference
              and (l.turn = 0 and l.ordinal <= v_through or l.turn between 1 and v_turns)
            limit p_limit
        ) l;
    else
        -- Moments never run backwards within turn 0, but if the clock was ever set back, read all rows. Later
        -- turns, each of which is one row, may have been answered from a reserve long before: read all.
        select array_agg(l.ctid) filter (
                   where l.reference is not null and (
                       l.issued_at < v_before
                           or v_again and exists (
                               select
                               from gapless.lease_record k
                               where k.series_id = v_series_id and k.ordinal = l.ordinal and k.turn = l.turn
                                 and k.answered_at < v_before
                           )
                   )
               ),
               count(*) filter (
                   where v_again or l.issued_at < v_before
                      or exists (select from gapless.clock_step s where s.series_id = v_series_id)
               ),
               max(l.turn), max(l.ordinal)
        into v_places, v_looked, turn, ordinal
        from (
            (select l.ctid, l.turn, l.ordinal, l.reference, l.issued_at from gapless.ledger l
             where not v_again and l.series_id = v_series_id and l.turn = 0 and l.ordinal > p_ordinal
               and l.ordinal <= v_through
             order by l.ordinal
             limit p_limit)
            union all
            (select l.ctid, l.turn, l.ordinal, l.reference, l.issued_at from gapless.ledger l
             where v_again and l.series_id = v_series_id and l.turn > p_turn and l.turn <= v_turns
             order by l.turn
             limit p_limit)
        ) l;
    end if;
    erased := coalesce(cardinality(v_places), 0);
    more := v_looked = p_limit;
    if erased > 0 then
        insert into gapless.erasing (series_id, audit_id, places) values (v_series_id, p_audit_id, v_places);
    end if;
    if not more and p_reference is null and not v_again then -- continue with turns above 0
        more := true;
        turn := 0;
        ordinal := 9223372036854775807;
    end if;
end;
$$;
