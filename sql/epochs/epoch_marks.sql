-- epoch_marks() -> how far each series has come: its last ordinal and the turn of its latest reissue
create or replace function gapless.epoch_marks()
returns table (series_id integer, name text, ordinal bigint, turn integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select c.series_id, s.name, c.next_ordinal - 1, c.turn
    from gapless.counter c
    join gapless.series s using (series_id)
    order by c.series_id;
$$;
