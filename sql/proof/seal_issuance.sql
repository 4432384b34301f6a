-- seal_issuance(p_issuance) -> an issuance of several ranges as it is hashed
create or replace function gapless.seal_issuance(p_issuance gapless.issuance) returns text
language sql
stable
as $$
    select concat_ws(
        ' ', 'issuance', p_issuance.turn, p_issuance.ordinal, p_issuance.count, p_issuance.contiguous::text,
        p_issuance.range_turns::text, p_issuance.range_ordinals::text
    );
$$;
