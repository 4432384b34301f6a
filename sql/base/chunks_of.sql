-- chunks_of(p_numbers) -> a set of ordinals in pieces, one for each chunk; inlined
create or replace function gapless.chunks_of(p_numbers int8multirange)
returns table (chunk bigint, numbers int8multirange)
language sql
immutable
parallel safe
as $$
    select c.chunk, range_agg(r.range * gapless.chunk_range(c.chunk))
    from unnest(p_numbers) as r (range)
    cross join lateral generate_series(
        gapless.chunk_of(lower(r.range)), gapless.chunk_of(upper(r.range) - 1)
    ) as c (chunk)
    group by c.chunk;
$$;
