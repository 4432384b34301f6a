-- chunk_size() -> how many ordinals a chunk has: numbers in states are kept in one set for each chunk and
-- state
--
-- Inlined, as are the functions of chunks that rest on it, so that a plan has the figure itself. The same
-- figure stands in the constraint numbers_stay_in_their_chunk: another one is another table.
create or replace function gapless.chunk_size() returns integer
language sql
immutable
parallel safe
as $$
    select 4096;
$$;
