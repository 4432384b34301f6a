-- verify_ledger(p_series_id, p_parts, p_guards) -> one row: what was checked, and the findings as an array
-- of {"at", "what"}
--
-- Compares what counter and blocks of a series claim with what gapless.verify_parts read from the ledger: in
-- the order in which they were opened, each block starts at its first serial where the one before ended, and
-- that one was full or closed. The distance between serials and ordinals is constant within a block. Then
-- checks counter, other blocks, continued issuances, states and events, guards. A finding names the place;
-- gapless.verify_breaks looks closer.
--
-- p_parts must come from the same snapshot; p_guards are the findings of gapless.verify_guards, the same for
-- every series.
create or replace function gapless.verify_ledger(
    p_series_id integer, p_parts gapless.ledger_part[], p_guards jsonb, out rows bigint, out numbers numeric,
    out blocks bigint, out findings jsonb
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
declare
    v_counter gapless.counter;
    v         record;      -- a block and what the ledger says of it
    v_due     bigint := 1; -- the ordinal at which the next opened block must start
    v_serial  bigint;      -- the serial after the last one in the ledger
    v_last    integer;     -- the block opened last, unless it is closed
    v_end     bigint;      -- its last serial
    v_until   timestamptz; -- its valid_until
    v_parts   bigint := 0; -- ranges that continue an issuance
    v_wrong   text;
    v_moment  timestamptz; -- of the ledger's latest row
    v_moments timestamptz[];
    v_epoch   integer;
begin
    rows := 0;
    numbers := 0;
    findings := '[]';
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    select count(*) into blocks from gapless.block b where b.series_id = p_series_id;

    for v in
        select coalesce(p.block_id, b.block_id) as block_id, b.block_id is null as unknown, b.state,
               b.first_serial, b.last_serial, b.closed_serial, b.first_ordinal as opened_at, b.position,
               b.valid_until,
               lag(b.position) over (order by b.first_ordinal) as position_before,
               lead(b.block_id) over (order by b.first_ordinal) as opened_after, p.*,
               p.first_ordinal + p.distance as first_left, p.end_ordinal + p.distance - 1 as last_left
        from unnest(p_parts) p
        full join (
            select * from gapless.block b where b.series_id = p_series_id and b.first_ordinal is not null
        ) b
            on b.block_id = p.block_id
        order by coalesce(p.first_ordinal, b.first_ordinal), b.first_ordinal
    loop
        if v.unknown then
            findings := findings || gapless.finding(format('ordinal %s', v.first_ordinal),
                format('numbers of block %s, which was never opened in this series', v.block_id));
            v_due := v.end_ordinal;
            continue;
        end if;
        v_wrong := case
            when v.state = 'queued' then format('counts as queued, but was opened at ordinal %s', v.opened_at)
            when v.rows is null and v.state = 'exhausted'
                then 'is exhausted, but none of its numbers is in the ledger'
            when v.rows is not null and v.state = 'withdrawn'
                then 'was withdrawn, but its numbers are in the ledger'
            when v.rows is null and v.state in ('closed', 'withdrawn')
                 and v.closed_serial is distinct from v.first_serial
                then format(
                    'was closed at serial %s, but none of its numbers is in the ledger', v.closed_serial
                )
            when v.rows is null
                then case when v.opened_at <> v_due then 'was opened out of line' end
            when not v.whole
                then format(
                    'has a gap or a double between ordinals %s and %s', v.first_ordinal, v.end_ordinal - 1
                )
            when v.distance <> v.distance_max then 'has serials that do not follow its ordinals'
            when v.first_left <> v.first_serial
                then format('starts at serial %s, not at its first', v.first_left)
            when v.first_ordinal <> v_due
                then format(
                    'starts at ordinal %s, not at %s where the block before ended', v.first_ordinal, v_due
                )
            when v.first_ordinal <> v.opened_at
                then format('starts at ordinal %s, but was opened at %s', v.first_ordinal, v.opened_at)
            when v.last_left > v.last_serial then format('went beyond its last serial to %s', v.last_left)
            when v.state = 'exhausted' and v.last_left <> v.last_serial
                then format('counts as exhausted, but its ledger ends at serial %s', v.last_left)
            when v.state = 'closed' and v.last_left + 1 is distinct from v.closed_serial
                then format(
                    'was closed at serial %s, but its ledger ends at %s', v.closed_serial, v.last_left
                )
            when v.state = 'open' and v.opened_after is not null
                then format('is still open, although block %s was opened after it', v.opened_after)
            when v.position < v.position_before then 'was opened before a block ahead of it in the queue'
            when v.odd > 0
                then format(
                    'has %s ranges without numbers, with neither key nor head, with half a head, or held for '
                    'no time',
                    v.odd
                )
            when v.epoch > v_counter.epoch
                then format(
                    'has ranges of epoch %s, a later epoch than the counter''s, %s', v.epoch, v_counter.epoch
                )
        end;
        if v_wrong like 'has %' then
            findings := findings || gapless.verify_breaks(p_series_id, v.block_id);
        end if;
        if v_wrong is not null then
            findings := findings
                || gapless.finding(
                    format('block %s', v.block_id), format('block %s %s', v.block_id, v_wrong)
                );
        end if;
        if v.rows is not null then
            rows := rows + v.rows;
            numbers := numbers + v.numbers;
            v_parts := v_parts + v.continued;
            v_due := v.end_ordinal;
            v_serial := v.last_left + 1;
        else
            v_serial := v.first_serial;
        end if;
        v_last := case when v.state not in ('closed', 'withdrawn') then v.block_id end;
        v_end := v.last_serial;
        v_until := v.valid_until;
    end loop;

    if v_counter.series_id is null then
        findings := findings || gapless.finding('counter', 'the series has none');
    elsif v_counter.next_ordinal < 1
        or num_nulls(v_counter.block_id, v_counter.next_serial, v_counter.last_serial) not in (0, 3)
          or v_counter.next_serial < 0 or v_counter.next_serial - 1 > v_counter.last_serial
    then
        findings := findings || gapless.finding('counter',
            format(
                'the counter is in no block: ordinal %s, block %s, serial %s, last serial %s',
                v_counter.next_ordinal,
                   coalesce(v_counter.block_id::text, 'none'), coalesce(v_counter.next_serial::text, 'none'),
                   coalesce(v_counter.last_serial::text, 'none')));
    end if;
    select array_agg(l.issued_at) into v_moments
    from (
        (
            select l.issued_at
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0 order by l.ordinal desc limit 1
        )
        union all
        (
            select l.issued_at
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn > 0 order by l.turn desc limit 1
        )
    ) l;
    -- The latest row is one of these two; the earlier of them, if the clock was set back in between.
    select max(m) into v_moment from unnest(v_moments) as m;
    if v_counter.last_issued_at < v_moment
       and (
           v_counter.last_issued_at <> all(v_moments)
               or not exists (select from gapless.clock_step s where s.series_id = p_series_id)
       )
       or v_counter.last_issued_at > greatest(v_moment, clock_timestamp())
    then
        findings := findings || gapless.finding('counter', format(
            'the counter says that numbers were issued until %s, the ledger until %s',
            v_counter.last_issued_at, coalesce(v_moment::text, 'never')));
    end if;
    if v_counter.next_ordinal <> v_due then
        findings := findings || gapless.finding(format('ordinal %s', least(v_due, v_counter.next_ordinal)),
            format('the counter goes on at ordinal %s, the ledger at %s', v_counter.next_ordinal, v_due));
    end if;
    if v_counter.block_id is distinct from v_last
       or (v_last is not null and v_counter.next_serial <> v_serial)
    then
        findings := findings || gapless.finding('counter',
            format('the counter stands at serial %s of block %s, the ledger at %s of block %s',
                   v_counter.next_serial, v_counter.block_id, v_serial, v_last));
    elsif v_last is not null and v_counter.last_serial <> v_end then
        findings := findings || gapless.finding('counter',
            format('the counter ends at serial %s, block %s at %s', v_counter.last_serial, v_last, v_end));
    elsif v_last is not null and v_counter.valid_until is distinct from v_until then
        findings := findings || gapless.finding('counter', format(
            'the counter''s numbers are valid until %s, those of block %s until %s',
            coalesce(v_counter.valid_until::text, 'ever'), v_last, coalesce(v_until::text, 'ever')));
    end if;
    select max(e.epoch) into v_epoch from gapless.epoch e;
    if v_counter.epoch <> v_epoch then
        findings := findings || gapless.finding('counter',
            format('the counter is in epoch %s, the database in %s', v_counter.epoch, v_epoch));
    end if;

    v_parts := v_parts + (
        select count(l.head_ordinal) from gapless.ledger l where l.series_id = p_series_id and l.turn > 0
    );
    findings := findings || gapless.verify_blocks(p_series_id)
        || gapless.verify_issuances(p_series_id, v_parts)
        || gapless.verify_turns(p_series_id) || gapless.verify_states(p_series_id)
            || gapless.verify_holds(p_series_id, p_parts)
        || gapless.verify_events(p_series_id) || gapless.verify_manifests(p_series_id)
        || gapless.verify_leases(p_series_id)
        || gapless.verify_seals(p_series_id) || gapless.verify_proposals(p_series_id)
        || p_guards;
end;
$$;
