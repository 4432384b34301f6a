-- The reserve: numbers that an instance has on lease, to answer with while it cannot reach the database.

-- How many numbers of a series each instance keeps on lease; null: none. Until drill_until (null: never
-- drilled) requests are answered from them, although the database is reachable.
alter table gapless.series
    add column reserve_numbers bigint,
    add column drill_until timestamptz,
    add constraint reserve_is_1_to_1000000_numbers check (reserve_numbers between 1 and 1000000);
create index series_with_reserve on gapless.series (series_id) where reserve_numbers is not null;

-- found: numbers that were written off turn out to have been answered, and are issued again. The new check
-- reads all rows once, and they pass: it keeps the old kinds.
delete from gapless.guard g
where g.kind = 'constraint' and g.place = 'number_event' and g.name = 'event_kind_is_known';
alter table gapless.number_event
    drop constraint event_kind_is_known,
    add constraint event_kind_is_known check (kind in (
        'confirmed', 'released', 'expired', 'reissued', 'printed', 'reprinted', 'voided', 'manifested',
        'returned', 'found'));

-- Who may have numbers on lease: one row for each journal of leases, whichever program runs with it.
create table gapless.instance (
    instance      uuid        primary key,
    incarnation   integer     not null, -- counts claims: a copy of the journal is behind
    claim         uuid        not null, -- the latest, repeatable if its answer was lost
    -- SHA-256 of the secret that proves a session acts for it, and that only its journal has; null: the next
    -- claim sets it
    secret_hash   bytea,
    host          text        not null collate "C", -- where it ran then
    registered_at timestamptz not null default now(),
    contact       timestamptz not null default clock_timestamp(), -- when it was last heard of
    constraint incarnations_count_from_1 check (incarnation >= 1),
    constraint secret_hash_is_sha256 check (octet_length(secret_hash) = 32)
) with (
    fillfactor = 10, -- written each second
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000
);

-- Numbers that an instance may answer with on its own: a hold of one run of fresh numbers that never expires.
-- An ordinal is on lease at most once, ever.
create table gapless.lease (
    series_id   integer        not null,
    turn        integer        not null default 0, -- where the hold begins
    ordinal     bigint         not null,
    lease       uuid           not null,
    place       bigint         not null generated always as identity, -- the order of lists
    instance    uuid           not null references gapless.instance,
    incarnation integer        not null, -- of the instance when it was granted
    count       bigint         not null,
    granted_at  timestamptz    not null default clock_timestamp(),
    draw_until  timestamptz    not null, -- no answers after it; a cut-off instance uses its own clock
    status      text collate "C" not null default 'open',
    -- ordinals voided although they may have been answered, and not settled since
    written_off int8multirange not null default '{}',
    primary key (series_id, turn, ordinal),
    constraint lease_is_granted_once unique (lease),
    constraint place_is_given_once unique (place),
    constraint lease_is_of_fresh_numbers check (turn = 0 and count between 1 and 1000000),
    constraint lease_status_is_known check (status in ('open', 'recalled', 'closed', 'lost'))
) with (
    fillfactor = 50, -- draw_until is written each second
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000
);
create index leases_of_a_series on gapless.lease (series_id) where status in ('open', 'recalled');
create index leases_of_an_instance on gapless.lease (instance) where status in ('open', 'recalled');

-- The settled answers from a lease: one row per answer, whose numbers were issued in that turn of the ledger.
create table gapless.lease_record (
    series_id   integer     not null,
    ordinal     bigint      not null, -- of the first number
    count       integer     not null,
    turn        integer     not null,
    lease       uuid        not null,
    answered_at timestamptz not null, -- by the instance
    -- the client's key, if another issuance owns it; null: the ledger's row has it
    spent_key   uuid,
    -- a page of one hour skips the rest without reading their rows
    primary key (series_id, ordinal) include (turn, answered_at)
) with (fillfactor = 100, autovacuum_freeze_min_age = 0); -- rows never change: frozen by the first vacuum

-- Answers from a lease that did not have these numbers: they may be on two parcels. Such an answer has no row
-- in the ledger.
create table gapless.lease_conflict (
    series_id   integer     not null,
    ordinal     bigint      not null, -- of the first number
    count       integer     not null,
    lease       uuid        not null,
    owner_id    integer     not null,
    key         uuid        not null,
    answered_at timestamptz not null, -- by the instance
    noted_at    timestamptz not null default clock_timestamp(),
    primary key (series_id, lease, ordinal, count, key)
);

-- Reports get more columns. Sessions that have already planned a call of the old ones may still make it.
do $$
begin
    if to_regprocedure('gapless.series_report(text)') is not null then
        alter function gapless.series_report(text) rename to series_report_before_3;
        alter function gapless.issuance_report(integer, integer, bigint) rename to issuance_report_before_3;
        alter function gapless.series_create(
            text, text, text, text, jsonb, text, text, bigint, text, text, jsonb
        ) rename to series_create_before_3;
    end if;
end;
$$;
