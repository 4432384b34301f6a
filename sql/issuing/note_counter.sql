-- note_counter(p_series_id, p_place) -> the place it noted
--
-- Remembers in this session the ctid of the series' counter (gapless.counter_place); a rollback undoes it.
-- There are 1024 slots in all, because each is a session setting and every COMMIT walks through all settings.
create or replace function gapless.note_counter(p_series_id integer, p_place tid) returns text
language sql
volatile
as $$
    select set_config('gapless.counter_' || (p_series_id & 1023), p_place::text, false);
$$;
