-- The parts of a day put together (day.sql), and the days of a series one after the other.

-- settle(p_series_id, p_day) -> the numbers that were voided because their holds expired
--
-- Holds with what became of them, their events, and what came back as free.
create function pg_temp.settle(p_series_id integer, p_day date) returns int8multirange
language plpgsql
as $$
declare
    v_reissue boolean := (select s.on_expiry = 'reissue' from gapless.series s where s.series_id = p_series_id);
    v_free    int8multirange;
    v_voided  int8multirange;
begin
    insert into gapless.hold (series_id, turn, ordinal, expires_at, held, confirmed, released, expired)
    select p_series_id, 0, r.ordinal, r.issued_at + r.hold_seconds * interval '1 s', '{}',
           case r.fate when 'confirmed' then w.whole when 'split' then int8multirange(int8range(r.ordinal, r.ordinal + r.count / 2)) else '{}' end,
           case r.fate when 'released' then w.whole when 'split' then int8multirange(int8range(r.ordinal + r.count / 2, r.ordinal + r.count)) else '{}' end,
           case r.fate when 'expired' then w.whole else '{}' end
    from day_row r
    cross join lateral (select int8multirange(int8range(r.ordinal, r.ordinal + r.count)) as whole) w
    where r.hold_seconds is not null;

    insert into day_event
    select k.kind, s.range, r.issued_at + case k.kind when 'expired' then interval '1 hour' else interval '1 minute' end, null
    from day_row r
    join gapless.hold h on h.series_id = p_series_id and h.turn = 0 and h.ordinal = r.ordinal
    cross join lateral (values ('confirmed', h.confirmed), ('released', h.released), ('expired', h.expired)) k (kind, numbers)
    cross join lateral unnest(k.numbers) as s (range)
    where r.hold_seconds is not null;
    insert into day_event
    select 'voided', e.range, e.at + interval '1 microsecond', 'hold expired' from day_event e where e.kind = 'expired' and not v_reissue;
    perform pg_temp.add_events(p_series_id);

    select coalesce(range_agg(e.range) filter (where e.kind = 'released' or e.kind = 'expired' and v_reissue), '{}'),
           coalesce(range_agg(e.range) filter (where e.kind = 'voided'), '{}')
    into v_free, v_voided
    from day_event e;
    delete from day_event;
    perform pg_temp.add_state(p_series_id, 'free', v_free);
    perform pg_temp.add_state(p_series_id, 'voided', v_voided);
    update gapless.tally t set free = t.free + gapless.size_of(v_free), voided = t.voided + gapless.size_of(v_voided)
    where t.series_id = p_series_id;
    update gapless.counter c set waiting = c.waiting + gapless.size_of(v_free) where c.series_id = p_series_id;
    return v_voided;
end;
$$;

-- report_day(p_series_id, p_day, p_printed, p_seed) -> nothing
--
-- What was printed, in pieces of a roll of labels; some of it torn and voided, some printed twice; all the rest on the manifest of the day,
-- and some returned by customers.
create function pg_temp.report_day(p_series_id integer, p_day date, p_printed int8multirange, p_seed bigint) returns void
language plpgsql
as $$
declare
    v_evening    timestamptz := (p_day + time '17:00') at time zone 'UTC';
    v_torn       int8multirange;
    v_again      int8multirange;
    v_manifested int8multirange;
    v_returned   int8multirange;
begin
    select coalesce(range_agg(int8range(n.ordinal, n.ordinal + 1)) filter (where n.place <= 3), '{}'),
           coalesce(range_agg(int8range(n.ordinal, n.ordinal + 1)) filter (where n.place in (4, 5)), '{}'),
           coalesce(range_agg(int8range(n.ordinal, n.ordinal + 1)) filter (where n.place > 5), '{}')
    into v_torn, v_again, v_returned
    from (
        select r.ordinal, row_number() over (order by pg_temp.chance(p_seed + 4, r.ordinal), r.ordinal) as place
        from day_row r where p_printed @> r.ordinal
        order by place
        limit 9
    ) n;
    v_manifested := p_printed - v_torn;
    insert into day_event
    select 'printed', int8range(n, least(n + 4000, upper(r))), v_evening, null
    from unnest(p_printed) as r
    cross join lateral generate_series(lower(r), upper(r) - 1, 4000) as n;
    insert into day_event select 'voided', r, v_evening + interval '5 minutes', 'torn' from unnest(v_torn) as r;
    insert into day_event select 'reprinted', r, v_evening + interval '6 minutes', null from unnest(v_again) as r;
    insert into day_event select 'manifested', r, v_evening + interval '1 hour', p_day::text from unnest(v_manifested) as r;
    insert into day_event select 'returned', r, v_evening + interval '2 hours', null from unnest(v_returned) as r;
    perform pg_temp.add_events(p_series_id);

    perform pg_temp.add_state(p_series_id, 'voided', v_torn);
    perform pg_temp.add_state(p_series_id, 'manifested', v_manifested - v_returned);
    perform pg_temp.add_state(p_series_id, 'returned', v_returned);
    update gapless.tally t
    set voided = t.voided + gapless.size_of(v_torn), manifested = t.manifested + gapless.size_of(v_manifested) - gapless.size_of(v_returned),
        returned = t.returned + gapless.size_of(v_returned)
    where t.series_id = p_series_id;
    insert into gapless.manifest (series_id, day, count, created_at, created_by)
    values (p_series_id, p_day, gapless.size_of(v_manifested), v_evening + interval '1 hour', 'fill');
    insert into gapless.manifest_part (series_id, day, chunk, numbers)
    select p_series_id, p_day, c.chunk, c.numbers from gapless.chunks_of(v_manifested) c;
    insert into gapless.audit_log (at, actor, action, subject, after)
    values (v_evening + interval '1 hour', 'fill', 'manifest.close', gapless.series_name(p_series_id),
            jsonb_build_object('day', p_day, 'count', gapless.size_of(v_manifested)));
end;
$$;

-- fill_day(p_series_id, p_day, p_number, p_rows, p_mean, p_holds, p_seed) -> nothing; one day of the series, in one transaction
--
-- Its chance follows from p_number, which of the days it is, not from the date: what is filled tomorrow is like what is filled today.
create function pg_temp.fill_day(
    p_series_id integer, p_day date, p_number integer, p_rows integer, p_mean numeric, p_holds integer, p_seed bigint
) returns void
language plpgsql
as $$
declare
    v_seed   bigint := hashint8extended(p_number, p_seed + p_series_id) / 16;
    v_owner  integer := gapless.owner_id('token:fill');
    v_first  bigint := pg_temp.put_rows(p_series_id, p_day, p_rows, p_mean, p_holds, v_seed);
    v_next   bigint;
    v_voided int8multirange;
    v_held   int8multirange;
    v_rest   int8multirange; -- never printed
    v_moment timestamptz;    -- of a statement: all its rows say the same
begin
    perform from gapless.tally t where t.series_id = p_series_id for update;
    for v_moment in select distinct r.issued_at from day_row r order by r.issued_at loop
        insert into gapless.ledger (
            series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, hold_seconds, reference, reference_salt)
        select p_series_id, r.count, r.ordinal, r.serial, pg_temp.key_of(p_seed, p_series_id, 0, r.ordinal), r.issued_at, r.block_id, v_owner,
               c.epoch, r.hold_seconds, case when r.chance % 2 = 0 then 'order-' || r.serial end,
               case when r.chance % 2 = 0 then pg_temp.key_of(p_seed + 1, p_series_id, 0, r.ordinal) end
        from day_row r
        join gapless.counter c on c.series_id = p_series_id
        where r.issued_at = v_moment
        order by r.ordinal;
    end loop;
    v_voided := pg_temp.settle(p_series_id, p_day);
    v_held := pg_temp.put_again(p_series_id, p_day, p_seed);
    insert into day_event select 'confirmed', r, (p_day + time '16:45') at time zone 'UTC', null from unnest(v_held) as r;
    perform pg_temp.add_events(p_series_id);
    delete from day_event;
    select max(r.ordinal + r.count) into v_next from day_row r;
    select coalesce(range_agg(int8range(r.ordinal, r.ordinal + r.count)), '{}') into v_rest from day_row r where r.chance >= 9970;
    perform pg_temp.report_day(p_series_id, p_day, int8multirange(int8range(v_first, v_next)) - v_voided - v_rest, v_seed);
    for v_n in 1..3 loop
        perform gapless.answer_keep(
            v_owner, format('%s-%s-%s', p_series_id, p_day, v_n), sha256(convert_to(concat(p_day, v_n), 'UTF8')), 200, null, repeat('{"x":1}', 60));
    end loop;
end;
$$;

-- seal_days(p_series_id, p_rows) -> nothing; seals what is not sealed yet, so many rows a link
create procedure pg_temp.seal_days(p_series_id integer, p_rows bigint)
language plpgsql
as $$
begin
    while gapless.seal(p_series_id, p_rows) loop
        commit;
    end loop;
    commit;
end;
$$;

-- fill_days(p_name, p_days, p_last, p_rows, p_mean, p_holds, p_seed, p_seal) -> nothing
--
-- The p_days days of the series that end with p_last, from the one after the last that is there: a day whose manifest is there is done.
-- Each is one transaction; every twentieth day everything is sealed.
create procedure pg_temp.fill_days(
    p_name text, p_days integer, p_last date, p_rows integer, p_mean numeric, p_holds integer, p_seed bigint, p_seal bigint
)
language plpgsql
as $$
declare
    v_series integer := (select s.series_id from gapless.series s where s.name = p_name);
    v_done   date := (select max(m.day) from gapless.manifest m where m.series_id = v_series);
begin
    for v_day in coalesce(v_done - (p_last - p_days), 0) + 1..p_days loop
        perform pg_temp.fill_day(v_series, p_last - p_days + v_day, v_day, p_rows, p_mean, p_holds, p_seed);
        if v_day % 97 = 0 then
            perform gapless.block_close(c.block_id, 'the carrier took it back', 'fill')
            from gapless.counter c
            where c.series_id = v_series and c.next_serial <= c.last_serial
              and exists (select from gapless.block b where b.series_id = v_series and b.state = 'queued');
        end if;
        commit;
        if v_day % 20 = 0 or v_day = p_days then
            call pg_temp.seal_days(v_series, p_seal);
        end if;
    end loop;
    call pg_temp.seal_days(v_series, p_seal);
end;
$$;
