-- What carriers assigned, what was issued, and to whom. series_id comes first in every key of a series' own
-- tables, so that series can be spread over several databases.

create schema if not exists gapless; -- already holds the record of migrations
create extension if not exists btree_gist with schema gapless;

-- One life of the database; a restore or failover opens a new one.
create table gapless.epoch (
    epoch             integer     primary key,
    database_id       uuid        not null, -- the same in all epochs and all copies
    system_identifier bigint      not null,
    timeline          text collate "C" not null,
    place             text collate "C",                 -- the data directory; null: see epoch_place
    database_oid      oid         not null, -- tells copies on one server apart; pg_upgrade keeps it
    -- of gapless.ledger and gapless.counter: a restore into this database recreates them
    ledger_oid        oid         not null,
    counter_oid       oid         not null,
    opened_at         timestamptz not null default now(),
    opened_by         text collate "C" not null,
    reason            text collate "C" not null
);

-- The data directory of an epoch, noted later, if the owner was not allowed to read it when the epoch began.
create table gapless.epoch_place (
    epoch    integer     primary key references gapless.epoch,
    place    text        not null collate "C",
    noted_at timestamptz not null default now()
);

-- Why nothing may be issued in an epoch: somebody has proof that this database has forgotten numbers. The
-- next epoch lifts it.
create table gapless.fence (
    fence_id  integer     generated always as identity primary key,
    epoch     integer     not null references gapless.epoch,
    raised_at timestamptz not null default now(),
    raised_by text collate "C" not null,
    reason    text collate "C" not null
);

-- The journals of the instances that were admitted in an epoch: a move requires all of them. A journal keeps
-- its id wherever its file is copied.
create table gapless.epoch_journal (
    epoch      integer     not null references gapless.epoch,
    journal_id uuid        not null,
    host       text        not null collate "C", -- where the instance ran
    joined_at  timestamptz not null default now(),
    primary key (epoch, journal_id, host)
);

-- An epoch that was ended on purpose, to move to another server, and how far each series had come.
create table gapless.epoch_move (
    epoch       integer     primary key references gapless.epoch,
    move_id     uuid        not null default gen_random_uuid(),
    fence_id    integer     not null, -- the fence that ended it
    prepared_at timestamptz not null default now(),
    marks       jsonb       not null -- from gapless.move_marks()
);

-- Raising a fence updates all rows, creating a series one of those after the first: whichever comes second
-- waits, and sees the other.
create table gapless.fence_order (
    place   integer primary key check (place between 0 and 16),
    changes bigint  not null default 0
) with (fillfactor = 10);
insert into gapless.fence_order (place) select generate_series(0, 16);

-- A parcel company that assigns blocks.
create table gapless.carrier (
    code       text collate "C" primary key,
    created_at timestamptz not null default now(),
    lead_days  integer     not null default 7,     -- from the order of a block to its letter, calendar days
    four_eyes  boolean     not null default false, -- a block is loaded by two people
    contact    text collate "C",                   -- how to order a block there; null: not set
    -- who asked to switch four_eyes off, and until when another person may agree; null: nobody
    four_eyes_off_by    text collate "C",
    four_eyes_off_until timestamptz,
    constraint two_people_switch_four_eyes_off
        check (four_eyes or four_eyes_off_by is null),
    constraint lead_days_are_0_to_365 check (lead_days between 0 and 365),
    constraint contact_has_1_to_500_characters check (contact ~ '\S' and char_length(contact) <= 500),
    constraint carrier_code_is_short_and_printable
        check (code ~ '^[A-Za-z0-9]([A-Za-z0-9._ -]{0,61}[A-Za-z0-9._-])?$')
);

-- A named stream of numbers: its fixed properties, and what an operator may set.
create table gapless.series (
    series_id  integer     generated always as identity primary key,
    name       text collate "C" not null,
    carrier    text collate "C" not null references gapless.carrier,
    space      text collate "C" not null, -- in which no number appears twice
    format     text collate "C" not null default 'plain',
    params     jsonb       not null default '{}',
    program    jsonb       not null, -- how a serial becomes a number: what format_number runs
    on_release text collate "C" not null default 'reissue',
    on_expiry  text collate "C" not null default 'void',
    low_water  bigint,               -- null: no warning
    reuse_after interval,            -- null: numbers are never loaded again
    -- of the current pause: why (null: not given), who, when
    paused_reason text collate "C",
    paused_by  text collate "C",
    paused_at  timestamptz,
    version    integer     not null default 1,
    created_at timestamptz not null default now(),
    constraint series_name_is_taken_once unique (name),
    constraint series_belongs_to_one_space unique (series_id, space),
    constraint series_name_is_a_slug check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
    constraint space_is_short_and_printable check (space ~ '^[A-Za-z0-9][A-Za-z0-9._: -]{0,126}$'),
    constraint on_release_is_reissue_or_void check (on_release in ('reissue', 'void')),
    constraint on_expiry_is_void_or_reissue check (on_expiry in ('void', 'reissue')),
    constraint low_water_is_not_negative check (low_water >= 0)
);
create index series_of_a_space on gapless.series (space);
create index series_of_a_program on gapless.series (program);

-- What a carrier assigned, both ends included. Blocks are used up in the order of position.
create table gapless.block (
    series_id     integer     not null,
    block_id      integer     generated always as identity,
    space         text collate "C" not null,
    -- the first that the carrier assigned, if another system issued those before first_serial; null:
    -- first_serial
    assigned_serial bigint,
    first_serial  bigint      not null,
    last_serial   bigint      not null,
    position      integer     not null,
    -- 2 or more if its numbers were loaded again after the series' reuse_after
    cycle         integer     not null default 1,
    state         text collate "C" not null default 'queued',
    first_ordinal bigint,              -- null until the block is opened
    -- the first that was not issued when the block was closed; null: not closed
    closed_serial bigint,
    closed_reason text collate "C",
    recalled_at   timestamptz,         -- when the carrier's rejection was recorded; null: never
    reference     text collate "C",                -- null: the carrier's letter has none
    valid_until   timestamptz,         -- null: does not expire
    loaded_at     timestamptz not null default now(),
    loaded_by     text collate "C" not null,
    primary key (series_id, block_id),
    foreign key (series_id, space) references gapless.series (series_id, space),
    constraint block_id_names_one_block unique (block_id),
    constraint block_runs_upwards check (0 <= first_serial and first_serial <= last_serial),
    constraint assigned_serial_comes_first check (0 <= assigned_serial and assigned_serial < first_serial),
    constraint serial_leaves_room_for_its_successor check (last_serial <= 9223372036854775806),
    constraint block_state_is_known check (state in ('queued', 'open', 'exhausted', 'closed', 'withdrawn')),
    constraint opened_block_has_an_ordinal
        check (state in ('closed', 'withdrawn') or (state = 'queued') = (first_ordinal is null)),
    constraint closed_block_says_where_and_why
        check ((state in ('closed', 'withdrawn')) = (closed_serial is not null)
               and (state in ('closed', 'withdrawn')) = (closed_reason is not null)),
    constraint nothing_left_a_withdrawn_block check (state <> 'withdrawn' or closed_serial = first_serial),
    constraint queued_block_is_not_recalled check (recalled_at is null or state <> 'queued'),
    constraint closed_serial_is_in_the_block check (closed_serial between first_serial and last_serial),
    constraint position_is_taken_once unique (series_id, position) deferrable,
    constraint blocks_of_a_space_do_not_overlap
        -- Serials first, so that the index also finds blocks across spaces (gapless.same_numbers).
        exclude using gist (
            int8range(coalesce(assigned_serial, first_serial), last_serial, '[]') with &&,
            space with =, cycle with =
        ) where (state <> 'withdrawn'),
    -- The counter points at its block through this key, so that neither can move without the other.
    constraint block_ends_where_its_counter_says unique (series_id, block_id, last_serial)
);
-- Blocks that one person proposed to load and another must confirm; element k of the arrays is block k.
create table gapless.proposal (
    proposal_id   integer     generated always as identity primary key,
    series_id     integer     not null references gapless.series,
    firsts        bigint[]    not null,
    lasts         bigint[]    not null,
    issued_untils bigint[]    not null,
    "references"  text[] collate "C" not null,
    valid_untils  timestamptz[] not null,
    state         text collate "C" not null default 'proposed', -- past expires_at: expired
    proposed_by   text collate "C" not null,
    proposed_at   timestamptz not null default now(),
    expires_at    timestamptz not null,
    settled_by    text collate "C", -- null: not yet
    settled_at    timestamptz,
    constraint proposal_state_is_known check (state in ('proposed', 'confirmed', 'rejected')),
    constraint settled_proposal_says_by_whom
        check ((state = 'proposed') = (settled_by is null) and (state = 'proposed') = (settled_at is null)),
    constraint two_people_load check (state <> 'confirmed' or settled_by <> proposed_by)
);
create unique index one_block_is_open on gapless.block (series_id) where state = 'open';
create index blocks_by_serial on gapless.block (series_id, cycle, coalesce(assigned_serial, first_serial))
    where state <> 'withdrawn';
create index opened_blocks on gapless.block (series_id, first_ordinal) where first_ordinal is not null;
create index queued_blocks on gapless.block (series_id, position) where state = 'queued';
-- For housekeeping, which reads this every few seconds among years of blocks.
create index blocks_that_expire on gapless.block (valid_until) where state in ('queued', 'open');

-- Where a series stands: one narrow row, touched once per batch. Nothing that changes is indexed, and most of
-- the page stays free, so that every update is a HOT update. The trigger counter_follows_the_ledger checks
-- its bounds when anybody but the ledger writes it.
create table gapless.counter (
    series_id    integer not null primary key references gapless.series,
    epoch        integer not null references gapless.epoch,
    block_id     integer,                     -- null until the first block is opened
    next_ordinal bigint  not null default 1,
    next_serial  bigint,                      -- last_serial + 1 once the block is exhausted
    last_serial  bigint,
    valid_until  timestamptz,                 -- of the block; null: does not expire
    waiting      bigint  not null default 0,  -- free numbers, issued first
    -- of the latest row in the ledger: no later row has an earlier moment
    last_issued_at timestamptz not null default '-infinity',
    turn         integer not null default 0,  -- of the latest reissue
    -- written by batches that have nothing else to write, so that their COMMIT waits for the standby
    replays      bigint  not null default 0,
    paused       boolean not null default false,
    fenced       boolean not null default false, -- gapless.fence has the reason
    constraint counter_ends_with_its_block
        foreign key (series_id, block_id, last_serial)
        references gapless.block (series_id, block_id, last_serial)
) with (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- How many numbers of each series can still be issued: the rest of the open block, all queued blocks, and
-- free numbers. A view needs no function call per series, and a column that is not selected costs nothing.
create view gapless.stock as
select c.series_id,
       coalesce(c.last_serial - c.next_serial + 1, 0) + c.waiting + (
           select coalesce(sum(b.last_serial - b.first_serial + 1), 0)
           from gapless.block b
           where b.series_id = c.series_id and b.state = 'queued'
       ) as remaining
from gapless.counter c;

-- The owner of idempotency keys: all tokens of one name, or a database role.
create table gapless.token_owner (
    owner_id   integer     generated always as identity primary key,
    name       text collate "C" not null,
    created_at timestamptz not null default now(),
    constraint owner_name_is_taken_once unique (name)
);

-- The append-only record of issued numbers: one row per range, and one range for an ordinary request. A row
-- either begins an issuance and has its key, or names the row that does. The trigger
-- range_continues_the_ledger checks rows, because a CHECK would be parsed again for every batch.
create table gapless.ledger (
    series_id    integer     not null,
    count        integer     not null,
    ordinal      bigint      not null, -- of the first number
    serial       bigint      not null, -- of the first number
    key          uuid,                 -- null: the issuance begins at head_ordinal
    issued_at    timestamptz not null,
    block_id     integer     not null,
    owner_id     integer     not null,
    epoch        integer     not null,
    -- 0 when these numbers are first issued; each reissue in the series counts up by one
    turn         integer     not null default 0,
    hold_seconds integer,              -- null: issued for good at once
    reference    text collate "C",     -- null: the client gave none, or it was erased
    reference_salt uuid,               -- random, for every reference; erased with it
    -- of an erased one: SHA-256 of salt and text, which the chain seals; null: not erased
    reference_digest bytea,
    head_ordinal bigint,               -- null: this row begins its issuance
    head_turn    integer,
    constraint range_starts_once primary key (series_id, turn, ordinal),
    constraint key_is_spent_once unique (key, owner_id)
) with (
    -- Rows never change: pages are filled, and the first vacuum freezes each once, instead of all at the age
    -- of 200 million.
    fillfactor = 100, autovacuum_freeze_min_age = 0,
    -- Vacuum after this many new rows, whatever the table's size: it visits the new pages only.
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000000
);

-- In the planner's statistics, samples of references would outlive their erasure. The planner finds the right
-- index without them.
alter table gapless.ledger alter column reference set statistics 0;
create index ledger_by_reference on gapless.ledger (series_id, reference, ordinal)
    where reference is not null;
-- Numbers issued again, in the order of ordinals: a few rows among years of others. A page of one hour skips
-- the rest without reading their rows.
create index reissued_by_ordinal on gapless.ledger (series_id, ordinal, issued_at) where turn > 0;

-- Always empty. Each call of gapless.issue inserts and deletes a row, whose deferred trigger checks at COMMIT
-- that the COMMIT waits for the disk.
create unlogged table gapless.sql_issue (
    series_id integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Always empty. gapless.erase_references inserts which ledger rows lose their references; the table's trigger
-- erases them and deletes the row.
create unlogged table gapless.erasing (
    series_id integer   not null,
    audit_id  bigint    not null, -- of the erasure
    places    tid[]     not null
);

-- The constraints, triggers, unique indexes and functions that keep the promises, and our roles' privileges,
-- as the migrations left them: gapless verify and gapless migrate check compare. A migration that changes one
-- deletes its row here; new ones are noted after each migration.
create table gapless.guard (
    kind       text collate "C" not null, -- constraint, index, trigger, function or privilege
    -- the table; of a function: its arguments; of a privilege: the object
    place      text collate "C" not null,
    name       text collate "C" not null, -- of a privilege: the role
    -- PostgreSQL's text; of a function: the SHA-256 of its body and settings
    definition text collate "C" not null,
    primary key (kind, place, name)
);

-- A ledger row before it is inserted (gapless.ledger_insert). Not the table's own row type, so that the
-- functions keep working while a later migration adds a column to the table.
create type gapless.ledger_entry as (
    series_id    integer,
    ordinal      bigint,
    serial       bigint,
    count        integer,
    block_id     integer,
    owner_id     integer,
    epoch        integer,
    issued_at    timestamptz,
    reference    text,
    key          uuid,
    turn         integer,
    hold_seconds integer,
    head_ordinal bigint,
    head_turn    integer
);

-- What verify reads from the ledger: one per block with rows of turn 0.
create type gapless.ledger_part as (
    series_id     integer,
    block_id      integer,
    rows          bigint,
    numbers       bigint,
    first_ordinal bigint,
    end_ordinal   bigint,  -- the ordinal after the last
    distance      bigint,  -- the least serial minus ordinal
    distance_max  bigint,
    whole         boolean, -- its ranges cover first_ordinal to end_ordinal without gap or overlap
    epoch         integer, -- the latest
    continued     bigint,  -- ranges that continue an issuance
    odd           bigint,  -- rows that could not have been inserted
    seed          bigint,  -- of the hashes in the next two
    held          numeric, -- which numbers were issued on hold, and in which: sum of gapless.hold_points
    promised      numeric  -- when these holds expire: sum of gapless.hold_promise
);

-- The request for an issuance of several ranges, or one that asked for more than a count and a reference.
create table gapless.issuance (
    series_id      integer    not null,
    turn           integer    not null, -- of the first range
    ordinal        bigint     not null, -- of the first range
    count          integer    not null,
    contiguous     boolean    not null,
    range_turns    integer[]  not null, -- the ranges, in the order of the answer
    range_ordinals bigint[]   not null,
    primary key (series_id, turn, ordinal),
    constraint ranges_are_named_in_full
        check (cardinality(range_turns) = cardinality(range_ordinals) and cardinality(range_ordinals) >= 1)
) with (fillfactor = 100, autovacuum_freeze_min_age = 0); -- rows never change: frozen by the first vacuum

-- Who may do what. The secret itself is stored nowhere.
create table gapless.token (
    token_id    integer     generated always as identity primary key,
    owner_id    integer     not null references gapless.token_owner,
    -- who answers for it where two people must agree: the person of the token that created it, else its owner
    person_id   integer     not null references gapless.token_owner,
    secret_hash bytea       not null,
    scopes      text[] collate "C" not null,
    series      text[] collate "C",               -- null: every series
    expires_at  timestamptz,          -- null: never
    created_at  timestamptz not null default now(),
    created_by  text collate "C" not null,
    revoked_at  timestamptz,          -- null: in force
    rate        integer,              -- requests per second; 0: no limit; null, here and below: the service's
    burst       integer,              -- requests at once
    daily_quota bigint,               -- numbers per day of the database's time zone; 0: no limit
    constraint limits_are_not_negative check (rate >= 0 and burst >= 1 and daily_quota >= 0),
    constraint secret_hash_is_sha256 check (octet_length(secret_hash) = 32),
    constraint scopes_are_known check (
        scopes <@ array['issue', 'read', 'load', 'admin'] and cardinality(scopes) > 0
    )
);

-- How many numbers of a day's quota instances have reserved for a token: never fewer than were issued. Not
-- append-only: old days are deleted.
create table gapless.token_quota (
    token_id integer not null references gapless.token,
    day      date    not null, -- in the database's time zone
    reserved bigint  not null,
    constraint reserved_is_not_negative check (reserved >= 0),
    primary key (token_id, day)
);

-- Answers to requests with an idempotency key, other than issuing, kept for replay until
-- gapless.answers_expire. None contains a secret or the reference of an issuance.
create table gapless.answered_request (
    owner_id    integer     not null references gapless.token_owner,
    key         uuid        not null,
    fingerprint bytea       not null, -- of method and path, then of the body: half of a SHA-256 each
    status      integer     not null,
    location    text collate "C",                 -- null: the answer had none
    body        text collate "C" not null,
    required    jsonb,                -- of the token, as gapless.note_requirement notes it; null: nothing
    answered_at timestamptz not null default now(),
    primary key (owner_id, key)
) with (
    -- Rows never change and are deleted in bulk: vacuum cleans up in small portions.
    fillfactor = 100, autovacuum_freeze_min_age = 0, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.05
);
create index answered_requests_by_age on gapless.answered_request (answered_at);

-- Who created, loaded, paused or revoked: one row per act.
create table gapless.audit_log (
    audit_id   bigint      generated always as identity primary key,
    at         timestamptz not null default now(),
    actor      text collate "C" not null, -- who they claim to be; only tokens are proven
    role       text collate "C" not null default session_user, -- who was logged in
    action     text collate "C" not null, -- 'series.create', 'block.load' …
    subject    text collate "C" not null,
    before     jsonb,                -- null: it did not exist
    after      jsonb,                -- null: it no longer exists
    token_id   integer,              -- null, here and below: not over HTTP
    request_id text collate "C" -- as in the log of the service
) with (fillfactor = 100, autovacuum_freeze_min_age = 0); -- rows never change: frozen by the first vacuum
-- What gapless verify reads for each series, a few acts among years of others.
create index acts_by_subject on gapless.audit_log (action, subject)
    where action in ('proposal.make', 'proposal.confirm', 'proposal.reject', 'manifest.close',
                     'reference.erase', 'block.close', 'block.withdraw', 'block.recall');

-- The hash chain over each series' records, and over those that all series share: every seal proves what it
-- covers and, through the hash before it, everything earlier. One row per link.
create table gapless.seal (
    series_id integer     not null, -- 0: the audit log, owners and epochs, which all series share
    link      bigint      not null, -- 1, 2, 3 … within the series
    kind      text collate "C" not null, -- which records it covers
    first     bigint      not null, -- to last, both included: ordinals, turns, or ids
    last      bigint      not null,
    rows      bigint      not null, -- how many there were
    epoch     integer     not null,
    sealed_at timestamptz not null default now(),
    hash      bytea       not null,
    primary key (series_id, link),
    constraint records_are_sealed_once unique (series_id, kind, last),
    constraint seal_covers_records check (1 <= first and first <= last),
    constraint kind_belongs_to_series check (
        case when series_id = 0 then kind in ('epoch', 'owner', 'audit')
             else kind in ('block', 'ledger', 'reissue', 'event') end),
    constraint seal_is_sha256 check (octet_length(hash) = 32)
) with (
    -- As the ledger: a busy series adds a link every few seconds, for years.
    fillfactor = 100, autovacuum_freeze_min_age = 0,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000
);

insert into gapless.epoch (
    epoch, database_id, system_identifier, timeline, place, database_oid, ledger_oid, counter_oid, opened_by,
    reason
)
select 1, gen_random_uuid(), c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
       (select p.setting from pg_settings p where p.name = 'data_directory'),
       (select d.oid from pg_database d where d.datname = current_database()), 'gapless.ledger'::regclass,
       'gapless.counter'::regclass, current_user, 'first migration'
from pg_control_system() c;
