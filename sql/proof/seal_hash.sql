-- seal_hash(p_seal, p_previous, p_text) -> the hash of a link: SHA-256 of a line that describes it and the
-- records' text, in UTF-8
--
-- The line: 'seal', series, link, kind, first, last, rows, epoch, moment (seconds since 1970, six decimals),
-- and the hash before it in hexadecimal, separated by one space. docs/design/verify.md shows how to
-- recompute one by hand.
create or replace function gapless.seal_hash(p_seal gapless.seal, p_previous bytea, p_text text) returns bytea
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select sha256(convert_to(concat_ws(
        ' ', 'seal', p_seal.series_id, p_seal.link, p_seal.kind, p_seal.first, p_seal.last, p_seal.rows,
        p_seal.epoch, extract(epoch from p_seal.sealed_at), encode(p_previous, 'hex')
    ) || e'\n' || p_text, 'UTF8'));
$$;
