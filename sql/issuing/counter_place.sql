-- counter_place(p_series_id) -> the ctid at which this session last saw the series' counter
-- (gapless.note_counter), or null
--
-- Only a hint: the row may have moved since, and several series share a slot. Callers therefore also compare
-- series_id; a stale place then finds no row, never another series' row or an old version.
--
-- Why not use the index: every batch leaves a dead version of the row, which vacuum cannot remove while any
-- transaction in the database is open, be it a backup or a forgotten BEGIN. An index scan visits all of them,
-- so each look-up would take longer than the last.
create or replace function gapless.counter_place(p_series_id integer) returns tid
language sql
stable
as $$
    select nullif(
        rtrim(
            substr(
                current_setting('gapless.counters_' || (p_series_id >> 3 & 127), true),
                (p_series_id & 7) * 18 + 1, 18
            )
        ),
        ''
    )::tid;
$$;
