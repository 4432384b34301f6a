-- manifest_numbers(p_series_id, p_day) -> the set of ordinals that closing this day would report now
--
-- Those printed by the end of that day, in the database's time zone, and not reported before.
create or replace function gapless.manifest_numbers(p_series_id integer, p_day date) returns int8multirange
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select p.numbers - l.numbers
    from (
        select coalesce(range_agg(r), '{}') as numbers
        from gapless.number_state s
        cross join lateral unnest(s.numbers) as r
        where s.series_id = p_series_id and s.state = 'printed'
    ) p
    cross join lateral (
        -- Numbers printed after that day belong to a later one. Before it is over there are none: an event
        -- with a later moment has it from a clock that was ahead. A subquery runs once, not for each event.
        select coalesce(range_agg(int8range(e.first_ordinal, e.last_ordinal, '[]')), '{}') as numbers
        from gapless.number_event e
        where not isempty(p.numbers) and e.series_id = p_series_id and e.kind = 'printed'
          and e.at >= (select gapless.day_begins(p_day + 1))
          and (select clock_timestamp() >= gapless.day_begins(p_day + 1))
    ) l;
$$;
