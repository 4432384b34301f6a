-- counter_place(p_series_id) -> where this session saw the series' counter last (gapless.note_counter); null:
-- not known
--
-- A hint: the row may have moved since, and series share places to remember. Whoever looks there asks for the
-- series, too, and finds nothing then, neither another row nor an old version.
--
-- Why not through the index: every batch leaves a dead version of the row behind, which nobody may clean up
-- while any transaction of the database is open, be it a backup or a forgotten BEGIN. The index leads to all
-- of them, so that each look-up takes longer than the one before.
create or replace function gapless.counter_place(p_series_id integer) returns tid
language sql
stable
as $$
    select nullif(current_setting('gapless.counter_' || (p_series_id & 1023), true), '')::tid;
$$;
