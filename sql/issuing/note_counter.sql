-- note_counter(p_series_id, p_place) -> what was noted
--
-- Remembers in this session where the series' counter lies (gapless.counter_place); taken back with the
-- transaction. 1024 places are remembered in all, because each is a setting of the session and every COMMIT
-- looks at all settings.
create or replace function gapless.note_counter(p_series_id integer, p_place tid) returns text
language sql
volatile
as $$
    select set_config('gapless.counter_' || (p_series_id & 1023), p_place::text, false);
$$;
