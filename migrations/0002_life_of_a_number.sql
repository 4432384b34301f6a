-- What becomes of a number after it left: held, printed, voided, manifested, returned, or free to go out again.
-- A number without an entry here is simply issued, so the common number costs nothing.

-- How many numbers of a series are in each state but the common one; kept in the transaction that changes it.
create table gapless.tally (
    series_id  integer not null primary key references gapless.series,
    free       bigint  not null default 0, -- came back and wait to go out again
    held       bigint  not null default 0,
    printed    bigint  not null default 0,
    voided     bigint  not null default 0, -- left and were voided; the rest of closed blocks is counted with the blocks
    manifested bigint  not null default 0,
    returned   bigint  not null default 0,
    events     bigint  not null default 0, -- the last event_id of the series: events are numbered 1, 2, 3 …, so that none can be missing unseen
    constraint tallies_are_not_negative check (least(free, held, printed, voided, manifested, returned) >= 0)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Which numbers are in which state: sets of ordinals, one row for each 4,096 ordinals (a chunk) and state. Neighbours melt into
-- one range, so a block that was printed from end to end takes one short row a chunk.
create table gapless.number_state (
    series_id integer        not null,
    chunk     bigint         not null, -- ordinal / 4096
    state     text           not null,
    numbers   int8multirange not null, -- ordinals
    primary key (series_id, chunk, state),
    constraint state_is_known check (state in ('free', 'held', 'printed', 'voided', 'manifested', 'returned')),
    constraint numbers_stay_in_their_chunk check (numbers <@ int8range(chunk * 4096, (chunk + 1) * 4096))
) with (fillfactor = 50);
-- What goes out again is found without a look at the other states, of which a large series has very many rows.
create index free_numbers on gapless.number_state (series_id, chunk) where state = 'free';

-- What happened to numbers after they left: append-only, one row per range.
create table gapless.number_event (
    series_id     integer     not null,
    event_id      bigint      not null, -- 1, 2, 3 … within the series
    kind          text        not null,
    first_ordinal bigint      not null,
    last_ordinal  bigint      not null,
    at            timestamptz not null default now(),
    actor         text        not null,
    reason        text,            -- null: none was asked for
    turn          integer,         -- of the ledger row that took the numbers out again; null: not reissued
    primary key (series_id, event_id),
    constraint event_kind_is_known check (kind in (
        'confirmed', 'released', 'expired', 'reissued', 'printed', 'reprinted', 'voided', 'manifested', 'returned')),
    constraint event_runs_upwards check (first_ordinal <= last_ordinal),
    constraint voiding_has_a_reason check (kind <> 'voided' or reason is not null),
    constraint reissue_names_its_turn check ((kind = 'reissued') = (turn is not null))
);
create index events_of_a_number on gapless.number_event using gist (series_id, int8range(first_ordinal, last_ordinal, '[]'));

-- An issuance that waits to be confirmed, and how it was settled. Sets of ordinals; a number is in exactly one of the four.
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
) with (fillfactor = 80);
create index open_holds on gapless.hold (expires_at) where not isempty(held);

-- A day that was reported to the carrier, and the numbers that were on it.
create table gapless.manifest (
    series_id  integer     not null,
    day        date        not null,
    count      bigint      not null,
    created_at timestamptz not null default now(),
    created_by text        not null,
    primary key (series_id, day)
);
create table gapless.manifest_part (
    series_id integer        not null,
    day       date           not null,
    chunk     bigint         not null,
    numbers   int8multirange not null,
    primary key (series_id, day, chunk),
    foreign key (series_id, day) references gapless.manifest
);

-- A number format of the shipper's own; the catalogue's stand in the programs.
create table gapless.format (
    name        text        primary key,
    declaration jsonb       not null, -- number, length, check, hrt, barcode, as in docs/formats.md
    created_at  timestamptz not null default now(),
    created_by  text        not null,
    constraint format_name_is_a_slug check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);

-- Which environment this database belongs to, "production" for example; no row: nobody said.
create table gapless.environment (
    only_row boolean primary key default true check (only_row),
    name     text    not null
);
