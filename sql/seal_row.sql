-- seal_row(p_row) -> a ledger row as it stands in what is hashed; inlined
create or replace function gapless.seal_row(p_row gapless.ledger) returns text
language sql
stable
as $$
    select concat_ws(
        ' ', p_row.turn, p_row.ordinal, p_row.serial, p_row.count, p_row.block_id, p_row.owner_id, p_row.epoch, extract(epoch from p_row.issued_at),
        concat(p_row.key, ' ', p_row.hold_seconds, ' ', p_row.head_turn, ' ', p_row.head_ordinal), coalesce(length(p_row.reference), -1), p_row.reference
    );
$$;
