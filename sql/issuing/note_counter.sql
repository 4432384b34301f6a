-- note_counter(p_series_id, p_place) -> nothing of use
--
-- Remembers in this session the ctid of the series' counter (gapless.counter_place); a rollback undoes it.
-- There are 1024 slots, as wide as a ctid can be, in 128 session settings: PostgreSQL 15 sorts all settings
-- when one is added (0.4 ms), and every COMMIT walks through all of them. Neighbours share a setting, since
-- they are likely to share a batch.
create or replace function gapless.note_counter(p_series_id integer, p_place tid) returns text
language sql
volatile
as $$
    select set_config(
        'gapless.counters_' || (p_series_id >> 3 & 127),
        overlay(
            rpad(coalesce(current_setting('gapless.counters_' || (p_series_id >> 3 & 127), true), ''), 144)
            placing rpad(coalesce(p_place::text, ''), 18) from (p_series_id & 7) * 18 + 1
        ),
        false
    );
$$;
