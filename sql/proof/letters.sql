-- letters(p_letters) -> each of these letters repeated as often as a chunk has ordinals, one after the other
-- (gapless.verify_events)
create or replace function gapless.letters(p_letters text) returns bytea
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select string_agg(convert_to(repeat(k.letter, gapless.chunk_size()), 'UTF8'), '' order by k.place)
    from string_to_table(p_letters, null) with ordinality as k (letter, place);
$$;
