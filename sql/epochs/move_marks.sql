-- move_marks() -> how far each series has come, by name: all that a move to another server must find again
--
-- events: the number of events in the series' history, so that a settled hold shows, too.
create or replace function gapless.move_marks() returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(jsonb_object_agg(s.name, jsonb_build_object(
        'series_id', c.series_id, 'ordinal', (c.next_ordinal - 1)::text, 'turn', c.turn, 'events',
        t.events::text)), '{}')
    from gapless.series s
    join gapless.counter c using (series_id)
    join gapless.tally t using (series_id);
$$;
