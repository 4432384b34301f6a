-- hold_promise(p_turn, p_ordinal, p_expires_at, p_seed) -> a summand for verify's comparison of holds: the
-- hold that begins there expires then, or never; inlined
create or replace function gapless.hold_promise(
    p_turn integer, p_ordinal bigint, p_expires_at timestamptz, p_seed bigint
)
returns bigint
language sql
immutable
parallel safe
as $$
    select gapless.hash_of(
        (coalesce(nullif(date_part('epoch', p_expires_at), 'infinity'), 0) * 1000000)::bigint,
        gapless.hash_of(p_ordinal, hashint8extended(p_turn, p_seed))
    );
$$;
