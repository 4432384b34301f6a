-- What people must hear of, and where it is delivered.

-- What happened, for people to read: an outbox. Rows are inserted in the transaction of the event, or by
-- gapless.notices_find, and numbered after COMMIT by gapless.notices_publish. They are deleted after 90 days.
create table gapless.notice (
    id          uuid        primary key default gen_random_uuid(), -- a restored database repeats no id
    place       bigint      not null generated always as identity, -- ascends within a series
    seq         bigint,               -- the order for readers; null: not numbered yet
    kind        text collate "C" not null, -- gapless.notice_kinds()
    series_id   integer,              -- null: concerns none
    block_id    integer,              -- null: concerns none
    at          timestamptz not null default clock_timestamp(),
    epoch       integer     not null,
    environment text collate "C",     -- the database's at that moment; null: not set
    time_zone   text collate "C",     -- the database's when it was numbered, for dates in texts
    data        jsonb       not null default '{}', -- for blocks, completed when it is numbered
    constraint seq_starts_at_1 check (seq >= 1),
    constraint numbered_notice_is_complete check ((seq is null) = (time_zone is null))
) with (
    -- Each row is written twice and then deleted: vacuum cleans up in small portions.
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.05
);
-- The only cost of a new notice besides its row and the index of its id.
create index notices_to_number on gapless.notice (place) where seq is null;
create unique index seq_is_given_once on gapless.notice (seq) where seq is not null;
create index notices_of_a_series on gapless.notice (series_id, seq) where seq is not null;

-- The highest number of a notice. One row, locked by whoever numbers.
create table gapless.notice_counter (
    only_row boolean primary key default true check (only_row),
    last_seq bigint  not null default 0
) with (fillfactor = 10);
insert into gapless.notice_counter default values;

-- When gapless.notices_find last had its turn. One row, locked by whoever looks.
create table gapless.notice_look (
    only_row boolean     primary key default true check (only_row),
    begun_at timestamptz not null default '-infinity'
) with (fillfactor = 10);
insert into gapless.notice_look default values;

-- The states that have a notice at present: each is announced once, and again only after it was over.
create table gapless.alert_state (
    kind    text collate "C" not null,
    subject bigint      not null, -- of a series: its id; token.expires: the token's; else 0
    -- series.no_successor: the block; block.exhausted: the first ordinal of the latest block with a notice;
    -- verify.finding: 2 if chains were verified, else 1; fence.raised: the epoch; null: the subject suffices
    mark    bigint,
    at      timestamptz not null default now(),
    primary key (kind, subject)
);
-- A state found: its subject and mark (as in gapless.alert_state), and what its notice says.
create type gapless.notice_state as (
    kind      text,
    subject   bigint,
    mark      bigint,
    series_id integer,
    block_id  integer,
    data      jsonb
);
-- No notices of blocks that were used up before there were notices.
insert into gapless.alert_state (kind, subject, mark)
select 'block.exhausted', b.series_id, max(b.first_ordinal)
from gapless.block b
where b.state = 'exhausted'
group by b.series_id;

-- Where notices are delivered to.
create table gapless.webhook (
    webhook_id  integer     generated always as identity primary key,
    url         text collate "C" not null, -- its path may be a secret of the receiver
    kinds       text[] collate "C",   -- null: every kind
    series      text[] collate "C",   -- null: all, and notices that concern none
    secret      bytea       not null, -- signs every delivery
    old_secret  bytea,                -- also signs until old_secret_until; null: never rotated
    old_secret_until timestamptz,
    credentials text collate "C",     -- sent as Authorization; null: no such field
    environment text collate "C",     -- of the database when it was created or retried; null: not set
    seq         bigint      not null, -- the cursor: notices up to it were delivered or not wanted
    attempts    integer     not null default 0, -- failed attempts to deliver the next notice
    first_failed_at timestamptz,      -- null: none failed
    next_attempt_at timestamptz not null default now(),
    last_error  text collate "C",     -- of the latest attempt or test; null: it was delivered
    missed      boolean     not null default false, -- notices went undelivered; the next delivery says so
    dead_at     timestamptz,          -- when it was given up; null: it was not
    test_id     uuid,                 -- of the waiting test delivery; null: none
    tested_at   timestamptz,          -- when the latest test ended; null: never
    test_status integer,              -- the receiver's HTTP status; null: no answer
    last_delivered_at timestamptz,    -- null: never
    created_at  timestamptz not null default now(),
    created_by  text collate "C" not null,
    person_id   integer     references gapless.token_owner, -- in whose share it is; null: a database role's
    constraint url_is_http check (url ~ '^https?://[^/]' and length(url) <= 2048),
    constraint lists_of_a_webhook_are_not_empty check (cardinality(kinds) > 0 and cardinality(series) > 0),
    constraint credentials_are_a_field_value
        check (credentials ~ '^[!-~]([ -~]*[!-~])?$' and length(credentials) <= 1000),
    constraint failures_have_a_moment check ((attempts = 0) = (first_failed_at is null)),
    constraint secrets_are_256_bits check (octet_length(secret) = 32 and octet_length(old_secret) = 32),
    constraint old_secret_has_an_end check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Keep samples of secrets out of the planner's statistics.
alter table gapless.webhook alter column secret set statistics 0;
alter table gapless.webhook alter column old_secret set statistics 0;
alter table gapless.webhook alter column credentials set statistics 0;
alter table gapless.webhook alter column url set statistics 0;
