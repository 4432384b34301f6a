-- verify_events(p_series_id) -> findings about the history: no event is missing or added, and replayed number
-- by number the events make sense, agree with the holds, and lead to the numbers' present states
--
-- Its time grows with events and holds, not with the ledger: a number without either costs nothing. A chunk
-- of numbers is replayed as a string with one letter per number. Tables, indexed by the step of
-- gapless.history_steps, say from which letters a step may start, and to which it leads.
create or replace function gapless.verify_events(p_series_id integer) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = on -- off in our sessions
set enable_nestloop = off -- join sets, whatever the planner thinks of the tables' sizes
set enable_mergejoin = off -- would sort rows that are sorted later
set work_mem = '64MB'
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
declare
    -- i: issued; h, c, r, e: on hold, which is open, confirmed, released, expired by its hold; f, p, v, m, t:
    -- free, printed, voided, manifested, returned; x: state confirmed as it should be; u: not issued yet.
    v_allowed  constant bytea[] := array[
        'i', 'i', 'i', 'i', 'c', 'r', 'e', 'f', 'i', 'pm', 'ifpmt', 'ip', 'pm', 'v', 'f', 'h', 'p', 'v', 'm',
        't'];
    v_usual    bytea := gapless.letters('iiiicrefipfppvfhpvmt'); -- the most common allowed letter
    v_becomes  bytea := gapless.letters('hcreiffip-vmtfxxxxxx');
    v_issued   bytea := gapless.letters('i');
    v_size     constant integer := gapless.chunk_size();
    v_next     bigint;
    v_findings jsonb;
    v_chunk    bigint := -1;
    v_numbers  bytea := '';
    v_part     bytea;
    v_left     integer; -- how many of the chunk were issued
    v          record;
begin
    -- Events are numbered 1, 2, 3 … up to the tally's count.
    select coalesce(jsonb_agg(gapless.finding('events',
               case when c.found = t.events then format(
                   'events are numbered %s to %s, but there are %s', c.first, c.last, c.found
               )
               else format('%s events were counted, %s are there', t.events, c.found) end)), '[]')
    into v_findings
    from (
        select count(*) as found, min(e.event_id) as first, max(e.event_id) as last
        from gapless.number_event e
        where e.series_id = p_series_id
    ) c
    join gapless.tally t on t.series_id = p_series_id
    where c.found <> t.events or c.found > 0 and (c.first, c.last) <> (1, c.found);

    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    for v in select * from gapless.history_steps(p_series_id) loop
        if v.chunk <> v_chunk then
            if length(ltrim(v_numbers, 'xiu')) > 0 then
                v_findings := v_findings || gapless.verify_rest(v_chunk, v_numbers);
                exit when jsonb_array_length(v_findings) >= 10;
            end if;
            v_chunk := v.chunk;
            v_numbers := v_issued;
            if v_chunk = 0 then
                v_numbers := overlay(v_numbers placing 'u' from 1); -- ordinals count from 1
            end if;
            if v_next < (v_chunk + 1) * v_size then
                v_left := greatest(v_next - v_chunk * v_size, 0);
                v_numbers := overlay(
                    v_numbers placing convert_to(repeat('u', v_size - v_left), 'UTF8') from v_left + 1
                );
            end if;
        end if;
        -- Comparing strings costs a tenth of testing each letter.
        v_part := substring(v_numbers from v.at for v.count);
        if v_part <> substring(v_usual from v_size * (v.step - 1) + 1 for v.count)
           and length(ltrim(v_part, v_allowed[v.step])) > 0
        then
            v_findings := v_findings
                || gapless.verify_misfit(
                    p_step => v.step, p_place => v.place, p_ordinal => v_chunk * v_size + v.at - 1,
                    p_numbers => v_part, p_allowed => v_allowed[v.step]
                );
        end if;
        if v.step <> 10 then -- reprinted: the state stays
            v_numbers := overlay(
                v_numbers placing substring(v_becomes from v_size * (v.step - 1) + 1 for v.count) from v.at
            );
        end if;
    end loop;
    return v_findings || gapless.verify_rest(v_chunk, v_numbers);
end;
$$;
