-- chunk_of(p_ordinal) -> the chunk in which an ordinal lies; inlined
create or replace function gapless.chunk_of(p_ordinal bigint) returns bigint
language sql
immutable
parallel safe
as $$
    select p_ordinal / gapless.chunk_size();
$$;
