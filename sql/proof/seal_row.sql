-- seal_row(p_row) -> a ledger row as it is hashed; inlined
--
-- Contains a digest of its reference, which is the same before and after the text was erased. A row that is
-- neither whole nor erased, which no trigger lets in, gives another text than either.
create or replace function gapless.seal_row(p_row gapless.ledger) returns text
language sql
stable
as $$
    select concat_ws(
        ' ', p_row.turn, p_row.ordinal, p_row.serial, p_row.count, p_row.block_id, p_row.owner_id,
        p_row.epoch, extract(epoch from p_row.issued_at),
        concat(
            p_row.key, ' ', p_row.hold_seconds, ' ', p_row.head_turn, ' ', p_row.head_ordinal, ' ',
            encode(gapless.reference_digest(p_row.reference_salt, p_row.reference), 'hex'),
            encode(p_row.reference_digest, 'hex'),
            case
                when (p_row.reference is null) <> (p_row.reference_salt is null)
                    then concat('?', p_row.reference_salt, p_row.reference)
                end
        )
    );
$$;
