-- number_at(p_series_id, p_ordinal) -> the number with that ordinal as it is printed; null if never issued
create or replace function gapless.number_at(p_series_id integer, p_ordinal bigint) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select gapless.format_number(s.program, b.first_serial + (p_ordinal - b.first_ordinal))
    from gapless.series s
    join gapless.counter c using (series_id)
    cross join lateral (
        select * from gapless.block b
        where b.series_id = p_series_id and b.first_ordinal <= p_ordinal
        order by b.first_ordinal desc
        limit 1
    ) b
    where s.series_id = p_series_id and p_ordinal < c.next_ordinal;
$$;
