-- hash_of(p_ordinal, p_seed) -> a 64-bit hash for verify's comparison of sets
--
-- hashint8extended folds its argument to 32 bits first; a seed of its own for each upper half keeps ordinals
-- beyond 2^32 apart.
create or replace function gapless.hash_of(p_ordinal bigint, p_seed bigint) returns bigint
language sql
immutable
parallel safe
as $$
    select hashint8extended(p_ordinal, p_seed + (p_ordinal >> 32));
$$;
