-- chunk_size() -> how many ordinals a chunk has: states are stored as one set of numbers per chunk and state
--
-- Inlined, as are the chunk functions that use it, so that plans contain the constant. The constraint
-- numbers_stay_in_their_chunk has the same value: changing it takes a new table.
create or replace function gapless.chunk_size() returns integer
language sql
immutable
parallel safe
as $$
    select 4096;
$$;
