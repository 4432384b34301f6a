-- chunk_range(p_chunk) -> the ordinals of a chunk; inlined
create or replace function gapless.chunk_range(p_chunk bigint) returns int8range
language sql
immutable
parallel safe
as $$
    select int8range(p_chunk * gapless.chunk_size(), (p_chunk + 1) * gapless.chunk_size());
$$;
