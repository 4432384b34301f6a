-- What many sessions do to one another's numbers in life_race.py: each function picks something by chance, does it, and returns
-- what came of it: a count, or the SQLSTATE of the refusal. Conflicts (40001) are left to pgbench to repeat.

-- How often each act succeeded or was refused, and how: one row per act and transaction that committed.
create table act (what text not null, outcome text not null, numbers bigint);

-- What sessions were told they had got.
create table told (series_id integer, turn integer, ordinal bigint, serial bigint, count integer);

create function race_setup() returns void
language plpgsql
as $$
begin
    perform gapless.owner_id('role:' || session_user);
    perform gapless.series_create('s', 'c', null, null, null, 'reissue', 'void', null, 'race');
    perform gapless.series_create('t', 'c', null, null, null, 'void', 'reissue', null, 'race');
    perform gapless.series_create('u', 'other', null, null, null, 'void', 'void', null, 'race', '0.1 seconds');
    for i in 1 .. 300 loop
        perform gapless.block_load('s', i * 1000, i * 1000 + 99, null, null, case when i % 5 = 0 then now() + interval '5 seconds' * random() end, 'race');
        perform gapless.block_load('t', i * 1000 + 500, i * 1000 + 599, null, null, null, 'race');
    end loop;
    perform gapless.block_load('u', 1, 20, null, null, null, 'race');
end;
$$;

create function done(p_what text, p_outcome text, p_numbers bigint default null) returns void
language sql
as $$
    insert into act values (p_what, p_outcome, p_numbers);
$$;

create function race_issue(p_series_id integer, p_count integer, p_hold integer) returns void
language plpgsql
as $$
declare
    v_count bigint;
begin
    with range as (
        insert into told
        select r.series_id, r.turn, r.ordinal, r.serial, r.count
        from gapless.issue_ranges((array['s', 't', 'u'])[p_series_id], p_count, null, null, p_hold) r
        returning count
    )
    select sum(count) into v_count from range;
    perform done(case when p_hold is null then 'issue' else 'hold' end, 'done', v_count);
exception
    when sqlstate 'GL009' then
        perform done('issue', sqlstate);
end;
$$;

-- A hold from the first half or the second, near a place; the whole of it or some of its numbers.
create function race_settle(p_series_id integer, p_confirm boolean, p_place double precision, p_part boolean) returns void
language plpgsql
as $$
declare
    v_turn integer;
    v_next bigint;
    v_hold gapless.hold;
    v_some int8multirange;
begin
    select c.turn, c.next_ordinal into v_turn, v_next from gapless.counter c where c.series_id = p_series_id;
    select * into v_hold
    from gapless.hold h
    where h.series_id = p_series_id
      and (h.turn, h.ordinal) >= (case when random() < 0.5 then 0 else (v_turn * p_place)::integer end, (v_next * p_place)::bigint)
    order by h.turn, h.ordinal
    limit 1;
    if not found then
        return;
    end if;
    if p_part then
        select range_agg(int8range(n, n + 1)) into v_some
        from unnest(v_hold.held + v_hold.confirmed + v_hold.released) as r
        cross join lateral generate_series(lower(r), upper(r) - 1) as n
        where n % 2 = v_next % 2;
        if v_some is null then
            return;
        end if;
    end if;
    perform done(case when p_confirm then 'confirm' else 'release' end, 'done',
                 gapless.hold_settle(p_series_id, v_hold.turn, v_hold.ordinal, v_some, p_confirm, 'race'));
exception
    when sqlstate 'GL012' or sqlstate 'GL014' or sqlstate 'GL022' then
        perform done('settle', sqlstate);
end;
$$;

create function race_event(p_series_id integer, p_kind text, p_place double precision, p_count integer) returns void
language plpgsql
as $$
declare
    v_next  bigint;
    v_first bigint;
begin
    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    v_first := 1 + (v_next * p_place)::bigint;
    perform done(p_kind, 'done', gapless.note_event(
        p_series_id, p_kind, int8multirange(int8range(v_first, v_first + p_count)), 'race', 'by chance', p_count = 1));
exception
    when sqlstate 'GL014' then
        perform done('event', sqlstate);
end;
$$;

create function race_sweep() returns void
language sql
as $$
    select done('sweep', 'done', s.holds + s.blocks) from gapless.sweep() s;
$$;

create function race_manifest(p_series text, p_day integer) returns void
language sql
as $$
    select done('manifest', 'done', gapless.manifest_close(p_series, current_date + p_day, 'race'));
$$;

create function race_block(p_what integer, p_block_id integer) returns void
language plpgsql
as $$
begin
    case p_what
        when 1 then perform gapless.block_close(p_block_id, 'by chance', 'race');
        when 2 then perform gapless.block_move(p_block_id, null, 'race');
        when 3 then perform gapless.series_change('s', jsonb_build_object('on_release', (array['reissue', 'void'])[1 + p_block_id % 2]), null, 'race');
        when 4 then perform gapless.block_withdraw(p_block_id, 'by chance', 'race');
        when 5 then perform gapless.block_recall(p_block_id, 'by chance', 'race');
        else perform gapless.block_load('u', 1, 20, null, null, null, 'race');
    end case;
    perform done('block ' || p_what, 'done');
exception
    when sqlstate 'GL008' or sqlstate 'GL013' or sqlstate 'GL014' then
        perform done('block', sqlstate);
end;
$$;

-- discrepancies() -> what was told and what the ledger says, where they differ: nothing
create function discrepancies() returns setof told
language sql
stable
as $$
    (select * from told except all select series_id, turn, ordinal, serial, count from gapless.ledger)
    union all
    (select series_id, turn, ordinal, serial, count from gapless.ledger except all select * from told);
$$;
