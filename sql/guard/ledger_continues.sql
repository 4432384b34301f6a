-- ledger_continues() -> trigger on gapless.ledger, once per INSERT statement
--
-- Accepts rows only if they continue the ledger of their series: within the statement each range starts where
-- the one before ended, the first starts at the counter, and all lie in the open block, or those of a single
-- series continue in the next queued ones (gapless.roll_over). All have the same issued_at, which is not
-- before the series' last. Then advances the counter by what was inserted. So the counter follows the ledger
-- and never leads it, and the database itself refuses a gap, a duplicate or an ordinal out of line, at any
-- isolation level, even if somebody inserts by hand. Rows with a turn above 0 issue numbers again:
-- gapless.take_free accepts each number only while it is free.
--
-- Raises 23514: range_continues_the_ledger, or range_is_well_formed. Locks the counter row, which the issuing
-- functions have locked already; manual inserts queue up there. Reads only the inserted rows and the counter:
-- reading the ledger would take predicate locks that conflict with every other writer.
create or replace function gapless.ledger_continues() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v         record;
    v_rows    bigint := 0;
    -- of any one of the rows
    v_series  integer;
    v_block   integer;
    v_count   bigint;
    v_first   bigint;
    v_away    bigint; -- its serial minus its ordinal
    v_moment  timestamptz;
    v_plain   boolean;
    v_numbers bigint; -- in the run; null: the rows have gaps or overlaps, or differ
    v_several boolean; -- the rows are of several series
    v_moved   integer[];
    v_place   tid;
    v_noted   text;
    v_looked  boolean;
    v_arrived bigint;
    v_run     record; -- what was inserted of each block, in the order of ordinals
begin
    -- The usual batch: requests of one series, all with the same count. A lone row is compared with no other,
    -- since aggregates would cost it as much as everything else here. Each expression costs, too, most of all
    -- those that PL/pgSQL evaluates by itself: it prepares them again in each transaction.
    for v_series, v_block, v_count, v_first, v_away, v_moment, v_plain in
        select i.series_id, i.block_id, i.count::bigint, i.ordinal, i.serial - i.ordinal, i.issued_at,
               i.count > 0 and i.turn = 0 and i.key is not null and i.head_ordinal is null
                   and i.head_turn is null and (i.hold_seconds > 0) is not false
                   and (i.reference is null) = (i.reference_salt is null) and i.reference_digest is null
        from inserted i
    loop
        v_rows := v_rows + 1;
        exit when v_rows = 2;
    end loop;
    if v_rows = 1 then
        v_numbers := v_count;
    elsif v_rows = 0 then
        return null;
    else
        -- The ordinals are distinct (primary key), all multiples of count apart, and as many as fit between
        -- the least and the greatest: so there is no gap.
        select count(*),
               bool_and(
                   i.count > 0 and i.turn = 0 and i.key is not null and i.head_ordinal is null
                   and i.head_turn is null and (i.hold_seconds > 0) is not false
                   and (i.reference is null) = (i.reference_salt is null) and i.reference_digest is null
               ),
               bool_or(i.series_id <> v_series), min(i.ordinal),
               case
               when bool_and(
                        i.series_id = v_series and i.block_id = v_block and i.count = v_count
                            and i.serial - i.ordinal = v_away and i.issued_at = v_moment
                            and (i.ordinal - v_first) % nullif(v_count, 0) = 0
                    )
                    and max(i.ordinal) - min(i.ordinal) = (count(*) - 1) * v_count
               then count(*) * v_count
               end
        into v_rows, v_plain, v_several, v_first, v_numbers
        from inserted i;
    end if;
    if v_plain and v_numbers > 0 then
        update gapless.counter c
        set next_ordinal = c.next_ordinal + v_numbers, next_serial = c.next_serial + v_numbers,
            last_issued_at = v_moment
        where c.ctid = gapless.counter_place(v_series)
          and c.series_id + 0 = v_series and c.block_id = v_block and c.next_ordinal = v_first
          and c.next_serial - c.next_ordinal = v_away and c.last_serial - c.next_serial >= v_numbers - 1
          and (
              c.last_issued_at <= v_moment
                  or gapless.may_step_back(c.series_id, c.next_ordinal, c.last_issued_at, v_moment)
          )
        returning c.ctid into v_place;
        if found then
            v_noted := gapless.note_counter(v_series, v_place);
            return null;
        end if;
    end if;
    v_moved := '{}';
    v_looked := false;

    -- Requests of several series in one transaction: the same proof for each series.
    if v_plain and v_several then
        with part as (
            select i.series_id, min(i.block_id) as block_id, min(i.ordinal) as ordinal,
                   min(i.serial - i.ordinal) as distance, count(*) * min(i.count) as count, count(*) as rows,
                   min(i.issued_at) as issued_at
            from inserted i
            group by i.series_id
            having min(i.block_id) = max(i.block_id) and min(i.serial - i.ordinal) = max(i.serial - i.ordinal)
               and min(i.count::bigint << 32 | i.ordinal % i.count)
                   = max(i.count::bigint << 32 | i.ordinal % i.count)
               and max(i.ordinal) - min(i.ordinal) = (count(*) - 1) * min(i.count)
               and min(i.issued_at) = max(i.issued_at)
        ), moved as (
            update gapless.counter c
            set next_ordinal = c.next_ordinal + p.count, next_serial = c.next_serial + p.count,
                last_issued_at = p.issued_at
            from part p
            where c.ctid = gapless.counter_place(p.series_id)
              and (
                  c.last_issued_at <= p.issued_at
                      or gapless.may_step_back(c.series_id, c.next_ordinal, c.last_issued_at, p.issued_at)
              )
              and c.series_id + 0 = p.series_id and c.block_id = p.block_id and c.next_ordinal = p.ordinal
              and c.next_serial - c.next_ordinal = p.distance and c.last_serial - c.next_serial >= p.count - 1
            returning c.series_id, p.rows, gapless.note_counter(c.series_id, c.ctid)
        )
        select coalesce(array_agg(m.series_id), '{}'), sum(m.rows) into v_moved, v_arrived from moved m;
        if v_arrived = v_rows then
            return null;
        end if;
    end if;

    -- Otherwise, if counts differ: the ranges of each series are sorted and checked one by one.
    loop
        with part as (
            select r.series_id, min(r.block_id) as block_id, min(r.ordinal) as ordinal,
                   min(r.distance) as distance, sum(r.count)::bigint as count, min(r.turn) as turn,
                   max(r.turn) as turn_max, bool_and(r.formed) as formed, min(r.issued_at) as issued_at,
                   min(r.issued_at) = max(r.issued_at) as one_moment,
                   min(r.block_id) = max(r.block_id) and min(r.distance) = max(r.distance)
                       and bool_and(r.ordinal = r.due) as chained
            from (
                select i.series_id, i.turn, i.block_id, i.ordinal, i.serial - i.ordinal as distance, i.count,
                       i.issued_at,
                       lag(i.ordinal + i.count, 1, i.ordinal) over (
                           partition by i.series_id order by i.ordinal
                       ) as due,
                       i.count > 0 and i.turn >= 0 and (i.hold_seconds > 0) is not false
                           and (i.key is null) = (i.head_ordinal is not null)
                           and (i.head_ordinal is null) = (i.head_turn is null)
                           and (i.reference is null) = (i.reference_salt is null)
                           and i.reference_digest is null as formed
                from inserted i
                where i.series_id <> all(v_moved)
            ) r
            group by r.series_id
        ), moved as (
            update gapless.counter c
            set next_ordinal = c.next_ordinal + p.count, next_serial = c.next_serial + p.count,
                last_issued_at = p.issued_at
            from part p
            where p.turn_max = 0 and p.formed and p.chained and p.one_moment
              and (
                  c.last_issued_at <= p.issued_at
                      or gapless.may_step_back(c.series_id, c.next_ordinal, c.last_issued_at, p.issued_at)
              )
              and c.ctid = gapless.counter_place(p.series_id) and c.series_id + 0 = p.series_id
              and c.block_id = p.block_id and c.next_ordinal = p.ordinal
              and c.next_serial - c.next_ordinal = p.distance and c.last_serial - c.next_serial >= p.count - 1
            returning c.series_id, gapless.note_counter(c.series_id, c.ctid)
        )
        select count(*) as parts,
               coalesce(array_agg(m.series_id) filter (where m.series_id is not null), '{}') as moved,
               min(p.series_id) as series_id, min(p.turn) as turn, max(p.turn_max) as turn_max,
               bool_and(p.formed) as formed, min(p.issued_at) as issued_at,
               bool_and(p.one_moment) as one_moment
        into v
        from part p
        left join moved m on m.series_id = p.series_id;
        v_moved := v_moved || v.moved;
        exit when cardinality(v.moved) = v.parts or (v_looked and cardinality(v.moved) = 0);
        -- The counters have moved since this session saw them, or the rows are wrong. Series that share a
        -- slot (gapless.note_counter) take turns.
        v_looked := true;
        perform gapless.find_counter(i.series_id)
        from (select distinct i.series_id from inserted i where i.series_id <> all(v_moved)) i;
    end loop;
    if cardinality(v.moved) = v.parts then
        return null;
    elsif not v.formed then
        raise exception 'a range has no number, neither key nor head, a hold of no time, or a reference '
                        'without salt'
            using errcode = 'check_violation', constraint = 'range_is_well_formed', schema = 'gapless',
            table = 'ledger';
    elsif v.parts = 1 and v.turn = 0 and v.turn_max = 0 and v.one_moment then
        select array_agg(p.block_id order by p.ordinal) as block_ids,
               array_agg(p.ordinal order by p.ordinal) as ordinals,
               array_agg(p.serial order by p.ordinal) as serials,
               array_agg(p.count order by p.ordinal) as counts, bool_and(p.one_run) as chained
        into v_run
        from (
            select r.block_id, min(r.ordinal) as ordinal, min(r.serial) as serial,
                   sum(r.count)::bigint as count,
                   bool_and(r.ordinal = r.due) and min(r.serial - r.ordinal) = max(r.serial - r.ordinal)
                       and max(r.ordinal + r.count) - min(r.ordinal) = sum(r.count) as one_run
            from (
                select i.block_id, i.ordinal, i.serial, i.count,
                       lag(i.ordinal + i.count, 1, i.ordinal) over (order by i.ordinal) as due
                from inserted i
            ) r
            group by r.block_id
        ) p;
        if v_run.chained
           and gapless.roll_over(
               p_series_id => v.series_id, p_block_ids => v_run.block_ids, p_ordinals => v_run.ordinals,
               p_serials => v_run.serials, p_counts => v_run.counts, p_issued_at => v.issued_at
           )
        then
            return null;
        end if;
    elsif v.turn > 0 and v.parts = 1 and v.one_moment then
        perform gapless.take_free(
            p_series_id => v.series_id, p_turns => array_agg(i.turn), p_ordinals => array_agg(i.ordinal),
            p_counts => array_agg(i.count), p_serials => array_agg(i.serial),
            p_block_ids => array_agg(i.block_id), p_issued_at => v.issued_at)
        from inserted i;
        return null;
    end if;
    raise exception 'a range does not continue the ledger of its series'
        using errcode = 'check_violation', constraint = 'range_continues_the_ledger',
              schema = 'gapless', table = 'ledger',
              hint = 'Numbers are issued by gapless.issue only.';
end;
$$;

create or replace trigger range_continues_the_ledger
    after insert on gapless.ledger
    referencing new table as inserted
    for each statement execute function gapless.ledger_continues();
