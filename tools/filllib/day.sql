-- A working day of one series, as tools/fill makes it: what was issued, held, settled, issued again, printed, voided, reported and
-- returned, some hundred rows of each in one transaction. Everything goes into the real tables, with every trigger at work; the ledger's
-- trigger moves the counter, opens blocks and lets numbers leave again only while they are free.
--
-- What the product's functions do for a request at a time is done for the day at once here, because they would take hours (docs/reports/years.md).
-- Moments are those of the day, which no function of the product would write.
-- All chance comes from the seed: the same seed makes the same records but for the moments of COMMITs.

create temp table day_row (
    ordinal      bigint      not null,
    count        integer     not null,
    serial       bigint      not null,
    block_id     integer     not null,
    chance       bigint      not null, -- 0 to 9999
    hold_seconds integer,
    fate         text,                 -- of a hold: confirmed, released, expired, or split: half of it confirmed, half released
    issued_at    timestamptz not null
) on commit delete rows;
create temp table day_event (kind text not null, range int8range not null, at timestamptz not null, reason text) on commit delete rows;
create temp table day_again (
    turn         integer     not null,
    ordinal      bigint      not null,
    count        integer     not null,
    serial       bigint      not null,
    block_id     integer     not null,
    hold_seconds integer,
    head_turn    integer, -- null: the row begins its issuance
    head_ordinal bigint,
    issued_at    timestamptz not null
) on commit delete rows;

-- chance(p_seed, p_n) -> 0 to 9999, always the same for the two
create function pg_temp.chance(p_seed bigint, p_n bigint) returns bigint
language sql immutable
as $$
    select (hashint8extended(p_n, p_seed) & 1073741823) % 10000;
$$;

-- key_of(p_seed, p_series_id, p_turn, p_ordinal) -> the idempotency key of the issuance that begins there
create function pg_temp.key_of(p_seed bigint, p_series_id integer, p_turn integer, p_ordinal bigint) returns uuid
language sql immutable
as $$
    select md5(concat_ws(' ', p_seed, p_series_id, p_turn, p_ordinal))::uuid;
$$;

-- put_rows(p_series_id, p_day, p_rows, p_mean, p_holds, p_seed) -> the first ordinal of the day
--
-- The requests of the day into day_row: seven in ten ask for one number, the others for as many as make the mean p_mean; p_holds in
-- 10,000 are held. A request that reaches beyond the end of a block becomes two.
create function pg_temp.put_rows(p_series_id integer, p_day date, p_rows integer, p_mean numeric, p_holds integer, p_seed bigint)
returns bigint
language plpgsql
as $$
declare
    v_counter gapless.counter;
    v_large   bigint := greatest(round((p_mean - 0.7) / 0.3), 1);
    v_total   bigint;
    v_placed  bigint;
begin
    select * into strict v_counter from gapless.counter c where c.series_id = p_series_id for update;
    with request as materialized (
        select r.k, r.count, (sum(r.count) over (order by r.k) - r.count)::bigint as at
        from (
            select k, case when pg_temp.chance(p_seed, k) < 7000 then 1
                      else 1 + pg_temp.chance(p_seed + 1, k) * (2 * v_large - 1) / 10000 end as count
            from generate_series(1, p_rows) as k
        ) r
    ), whole as materialized (
        select sum(r.count)::bigint as numbers from request r
    ), piece as materialized (
        select b.block_id, b.serial, (sum(b.room) over (order by b.place) - b.room)::bigint as at
        from (
            select v_counter.block_id, v_counter.next_serial as serial, v_counter.last_serial - v_counter.next_serial + 1 as room, -1 as place
            where v_counter.next_serial <= v_counter.last_serial
            union all
            select b.block_id, b.first_serial, b.last_serial - b.first_serial + 1, b.position
            from gapless.block b where b.series_id = p_series_id and b.state = 'queued'
        ) b
    ), cut as (
        select c.at, max(c.k) as k, max(c.piece) as piece
        from (
            select r.at, r.k, null::bigint as piece from request r
            union all
            select p.at, null, row_number() over (order by p.at) from piece p, whole w where p.at < w.numbers
        ) c
        group by c.at
    ), placed as (
        select c.at, lead(c.at, 1, w.numbers) over (order by c.at) - c.at as count, max(c.piece) over (order by c.at) as piece
        from cut c, whole w
    )
    insert into day_row (ordinal, count, serial, block_id, chance, issued_at)
    select v_counter.next_ordinal + p.at, p.count, b.serial + p.at - b.at, b.block_id,
           pg_temp.chance(p_seed + 2, v_counter.next_ordinal + p.at),
           date_trunc('hour', (p_day + time '06:00') at time zone 'UTC' + interval '10 hours' * p.at / w.numbers)
    from placed p
    join (select b.*, row_number() over (order by b.at) as piece from piece b) b using (piece)
    cross join whole w;

    update day_row r
    set hold_seconds = 3600,
        fate = case when f.chance < 7000 then 'confirmed' when f.chance < 8400 then 'released' when f.chance < 9500 then 'expired'
               when r.count > 1 then 'split' else 'confirmed' end
    from (select r.ordinal, pg_temp.chance(p_seed + 3, r.ordinal) as chance from day_row r where r.chance < p_holds) f
    where f.ordinal = r.ordinal;
    return v_counter.next_ordinal;
end;
$$;

-- add_events(p_series_id) -> nothing; day_event into the history, in the order of time
create function pg_temp.add_events(p_series_id integer) returns void
language plpgsql
as $$
declare
    v_last bigint;
begin
    update gapless.tally t set events = t.events + (select count(*) from day_event) where t.series_id = p_series_id
    returning t.events into v_last;
    insert into gapless.number_event (series_id, event_id, kind, first_ordinal, last_ordinal, at, actor, reason)
    select p_series_id, v_last - count(*) over () + row_number() over (order by e.at, e.range, e.kind), e.kind, lower(e.range), upper(e.range) - 1,
           e.at, 'fill', e.reason
    from day_event e;
end;
$$;

-- add_state(p_series_id, p_state, p_numbers) -> nothing; these numbers, which are in no state yet, are in it now
create function pg_temp.add_state(p_series_id integer, p_state text, p_numbers int8multirange) returns void
language plpgsql
as $$
begin
    insert into gapless.number_state as s (series_id, chunk, state, numbers)
    select p_series_id, c.chunk, p_state, c.numbers from gapless.chunks_of(p_numbers) c
    on conflict (series_id, chunk, state) do update set numbers = s.numbers + excluded.numbers;
end;
$$;

-- put_again(p_series_id, p_day, p_seed) -> the numbers that were held again, and confirmed
--
-- What came back that day leaves again that day, each run as it came back; every tenth run is held again, and every eighth with the next one
-- is one issuance of two ranges.
create function pg_temp.put_again(p_series_id integer, p_day date, p_seed bigint) returns int8multirange
language plpgsql
as $$
declare
    v_owner integer := gapless.owner_id('token:fill');
    v_turn  integer;
    v_held  int8multirange;
begin
    select c.turn into strict v_turn from gapless.counter c where c.series_id = p_series_id;
    insert into day_again
    select v_turn + row_number() over (order by r.ordinal), r.ordinal, r.count, r.serial, r.block_id, null, null, null,
           (p_day + time '16:30') at time zone 'UTC'
    from (
        select r.ordinal + case r.fate when 'split' then r.count / 2 else 0 end as ordinal,
               r.count - case r.fate when 'split' then r.count / 2 else 0 end as count,
               r.serial + case r.fate when 'split' then r.count / 2 else 0 end as serial, r.block_id
        from day_row r
        where r.fate in ('released', 'split')
           or r.fate = 'expired' and (select s.on_expiry = 'reissue' from gapless.series s where s.series_id = p_series_id)
    ) r;
    update day_again a set hold_seconds = 3600 where a.turn % 10 = 0;
    update day_again a set head_turn = h.turn, head_ordinal = h.ordinal
    from day_again h where h.turn = a.turn - 1 and a.turn % 8 = 5 and a.hold_seconds is null and h.hold_seconds is null;

    insert into gapless.ledger (
        series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, turn, hold_seconds, head_ordinal, head_turn)
    select p_series_id, a.count, a.ordinal, a.serial, case when a.head_turn is null then pg_temp.key_of(p_seed, p_series_id, a.turn, a.ordinal) end,
           a.issued_at, a.block_id, v_owner, c.epoch, a.turn, a.hold_seconds, a.head_ordinal, a.head_turn
    from day_again a
    join gapless.counter c on c.series_id = p_series_id;
    insert into gapless.issuance (series_id, turn, ordinal, count, contiguous, range_turns, range_ordinals)
    select p_series_id, h.turn, h.ordinal, h.count + a.count, false, array[h.turn, a.turn], array[h.ordinal, a.ordinal]
    from day_again a
    join day_again h on h.turn = a.head_turn;
    insert into gapless.hold (series_id, turn, ordinal, expires_at, held, confirmed)
    select p_series_id, a.turn, a.ordinal, a.issued_at + a.hold_seconds * interval '1 s', '{}', int8multirange(int8range(a.ordinal, a.ordinal + a.count))
    from day_again a
    where a.hold_seconds is not null;
    select coalesce(range_agg(int8range(a.ordinal, a.ordinal + a.count)), '{}') into v_held from day_again a where a.hold_seconds is not null;
    return v_held;
end;
$$;
