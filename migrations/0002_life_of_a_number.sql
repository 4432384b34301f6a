-- What becomes of a number after it is issued: held, printed, voided, manifested, returned, or free to be
-- issued again. A number without an entry here is simply issued, so the common number costs nothing.

-- How many numbers of a series are in each state except issued; updated in the transaction that changes it.
create table gapless.tally (
    series_id  integer not null primary key references gapless.series on update cascade,
    free       bigint  not null default 0, -- released or expired, and issued next
    held       bigint  not null default 0,
    printed    bigint  not null default 0,
    -- voided after they were issued; the rest of closed blocks is counted with the blocks
    voided     bigint  not null default 0,
    manifested bigint  not null default 0,
    returned   bigint  not null default 0,
    -- the last event_id of the series: events are numbered 1, 2, 3 …, so that a missing one shows
    events     bigint  not null default 0,
    constraint tallies_are_not_negative check (least(free, held, printed, voided, manifested, returned) >= 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Which numbers are in which state: sets of ordinals, one row for each chunk of 4,096 ordinals
-- (gapless.chunk_size) and state. Neighbours merge into one range, so a block that was printed from end to
-- end takes one short row per chunk.
create table gapless.number_state (
    series_id integer        not null,
    chunk     bigint         not null, -- gapless.chunk_of(ordinal)
    state     text collate "C" not null,
    numbers   int8multirange not null, -- ordinals
    primary key (series_id, chunk, state),
    constraint state_is_known check (
        state in ('free', 'held', 'printed', 'voided', 'manifested', 'returned')
    ),
    constraint numbers_stay_in_their_chunk check (numbers <@ int8range(chunk * 4096, (chunk + 1) * 4096))
) with (
    fillfactor = 50, -- a set is rewritten within its page while its chunk is in use
    -- Dead versions come from the few chunks in use; over the years they would never reach a fifth of the
    -- table.
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
-- Finds free numbers without reading the other states, of which a large series has very many rows.
create index free_numbers on gapless.number_state (series_id, chunk) where state = 'free';
-- For manifests: printed and not reported yet, a few chunks among years of reported ones.
create index printed_numbers on gapless.number_state (series_id, chunk) where state = 'printed';

-- What happened to numbers after they were issued: append-only, one row per range.
create table gapless.number_event (
    series_id     integer     not null,
    event_id      bigint      not null, -- 1, 2, 3 … within the series
    kind          text collate "C" not null,
    first_ordinal bigint      not null,
    last_ordinal  bigint      not null,
    at            timestamptz not null default now(),
    actor         text collate "C" not null,
    reason        text collate "C",            -- null: none was required
    turn          integer,         -- of the ledger row that issued the numbers again; null: not reissued
    primary key (series_id, event_id),
    constraint event_kind_is_known check (kind in (
        'confirmed', 'released', 'expired', 'reissued', 'printed', 'reprinted', 'voided', 'manifested',
        'returned')),
    constraint event_runs_upwards check (first_ordinal <= last_ordinal),
    constraint voiding_has_a_reason check (kind <> 'voided' or reason is not null),
    constraint reissue_names_its_turn check ((kind = 'reissued') = (turn is not null))
) with (
    fillfactor = 100, autovacuum_freeze_min_age = 0, -- rows never change: frozen once, by the first vacuum
    -- Not after a fixed number of rows, as for the ledger: each vacuum reads the whole GiST index, so it must
    -- run less often as that grows.
    autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 200000
);
create index events_of_a_number on gapless.number_event using gist (
    series_id, int8range(first_ordinal, last_ordinal, '[]')
);
-- Finds when a number was issued again without reading all that happened to its neighbours.
create index reissues_of_a_number on gapless.number_event using gist (
    series_id, int8range(first_ordinal, last_ordinal, '[]')
) where kind = 'reissued';
-- Finds what was printed after the end of a day, which its manifest leaves out.
create index printed_events on gapless.number_event (series_id, at) where kind = 'printed';

-- An issuance that waits to be confirmed, and how it was settled. Each number is in exactly one of the four
-- sets of ordinals.
create table gapless.hold (
    series_id  integer        not null,
    turn       integer        not null, -- where the issuance begins
    ordinal    bigint         not null,
    expires_at timestamptz    not null,
    held       int8multirange not null,
    confirmed  int8multirange not null default '{}',
    released   int8multirange not null default '{}',
    expired    int8multirange not null default '{}',
    primary key (series_id, turn, ordinal)
) with (
    fillfactor = 80, -- settling updates the row once, in the same page
    -- A settled hold leaves a dead index entry among the open ones, which every sweep visits: vacuum must
    -- remove them long before they are a fifth of all holds there ever were.
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000
);
create index open_holds on gapless.hold (expires_at) where not isempty(held);

-- A day that was reported to the carrier, and the numbers on its manifest.
create table gapless.manifest (
    series_id  integer     not null,
    day        date        not null,
    count      bigint      not null,
    created_at timestamptz not null default now(),
    created_by text collate "C" not null,
    primary key (series_id, day)
) with (fillfactor = 100, autovacuum_freeze_min_age = 0); -- rows never change: frozen by the first vacuum
create table gapless.manifest_part (
    series_id integer        not null,
    day       date           not null,
    chunk     bigint         not null,
    numbers   int8multirange not null,
    primary key (series_id, day, chunk),
    foreign key (series_id, day) references gapless.manifest
) with (fillfactor = 100, autovacuum_freeze_min_age = 0); -- as manifest

-- A number format of the shipper's own; the programs contain the catalogue's.
create table gapless.format (
    name        text collate "C" primary key,
    declaration jsonb       not null, -- number, length, check, hrt, barcode, as in docs/reference/formats.md
    created_at  timestamptz not null default now(),
    created_by  text collate "C" not null,
    constraint format_name_is_a_slug check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);

-- The time zone in which days begin: manifests and consumption are per day.
create table gapless.calendar (
    only_row  boolean primary key default true check (only_row),
    time_zone text collate "C" not null default 'UTC' -- a name of pg_timezone_names
);
insert into gapless.calendar default values;

-- The database's clock, by which holds, blocks and old records end (gapless.clock_look).
create table gapless.clock (
    only_row   boolean primary key default true check (only_row),
    looked_at  timestamptz, -- when it was last read and believed, to the minute; null: never
    doubted_at timestamptz  -- its time when it was found too far ahead; null: it is believed
) with (fillfactor = 10);
insert into gapless.clock default values;

-- Where a series continues with earlier moments, because the clock had been ahead and was set back.
create table gapless.clock_step (
    series_id integer     not null references gapless.series,
    ordinal   bigint      not null, -- the first fresh one after the step
    at        timestamptz not null, -- its moment, or one shortly before it
    primary key (series_id, ordinal)
);

-- How many numbers a series used on each past day, gathered from the ledger by gapless.consumption_gather,
-- which deletes old days.
create table gapless.consumption (
    series_id    integer not null references gapless.series,
    day          date    not null, -- in the calendar's time zone
    numbers      bigint  not null, -- issued for the first time
    next_ordinal bigint  not null, -- the first issued after that day
    primary key (series_id, day),
    constraint use_is_not_negative check (numbers >= 0)
) with (fillfactor = 100); -- rows never change, and are deleted after 420 days

-- The environment this database belongs to, such as "production"; no row: not set.
create table gapless.environment (
    only_row boolean primary key default true check (only_row),
    name     text collate "C" not null
);
