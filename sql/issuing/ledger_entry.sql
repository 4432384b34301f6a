-- ledger_entry(p_series_id, p_ordinal, p_serial, p_count, …) -> the entry from which gapless.ledger_insert
-- makes a row
--
-- p_key: only in the first row of an issuance; the others name it by p_head_ordinal and p_head_turn. Inlined.
create or replace function gapless.ledger_entry(
    p_series_id    integer,
    p_ordinal      bigint,
    p_serial       bigint,
    p_count        integer,
    p_block_id     integer,
    p_owner_id     integer,
    p_epoch        integer,
    p_issued_at    timestamptz,
    p_reference    text,
    p_key          uuid default null,
    p_turn         integer default 0,
    p_hold_seconds integer default null,
    p_head_ordinal bigint default null,
    p_head_turn    integer default null
)
returns gapless.ledger_entry
language sql
immutable
as $$
    -- In the order of the type's columns.
    select row(
        p_series_id, p_ordinal, p_serial, p_count, p_block_id, p_owner_id, p_epoch, p_issued_at, p_reference,
        p_key, p_turn, p_hold_seconds, p_head_ordinal, p_head_turn
    )::gapless.ledger_entry;
$$;
