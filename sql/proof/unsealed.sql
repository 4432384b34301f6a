-- unsealed() -> the series with records that are not sealed yet; 0: the records that all series share
create or replace function gapless.unsealed() returns table (series_id integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.series_id
    from (select 0 as series_id union all select c.series_id from gapless.counter c) s
    where exists (select from gapless.unsealed_of(s.series_id))
    order by s.series_id;
$$;
