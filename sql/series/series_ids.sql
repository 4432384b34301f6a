-- series_ids() -> the first series id of this database: 1, or what series_ids_set chose
create or replace function gapless.series_ids() returns integer
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.seqstart::integer from pg_sequence s
    where s.seqrelid = pg_get_serial_sequence('gapless.series', 'series_id')::regclass;
$$;
