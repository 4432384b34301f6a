-- hold_points(p_turn, p_ordinal, p_first, p_end, p_seed) -> a summand for verify's comparison of holds: the
-- numbers from p_first to before p_end belong to the hold that begins at p_ordinal in p_turn
--
-- The start of a run adds, its end subtracts. So adjacent runs sum to one run, and equal sums mean that every
-- number belongs to a hold equally often on both sides. Halved, so that the difference fits. Inlined.
create or replace function gapless.hold_points(
    p_turn integer, p_ordinal bigint, p_first bigint, p_end bigint, p_seed bigint
)
returns bigint
language sql
immutable
parallel safe
as $$
    select (gapless.hash_of(p_first, gapless.hash_of(p_ordinal, hashint8extended(p_turn, p_seed))) >> 1)
         - (gapless.hash_of(p_end, gapless.hash_of(p_ordinal, hashint8extended(p_turn, p_seed))) >> 1);
$$;
