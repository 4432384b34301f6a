-- expired_blocks_waiting(p_series_id, p_moment) -> the blocks past their valid_until at that moment that may
-- have free numbers
--
-- Reads only blocks between the lowest and the highest free number, not all that ever expired.
create or replace function gapless.expired_blocks_waiting(p_series_id integer, p_moment timestamptz)
returns table (block_id integer)
language sql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- both ends come from an index, however much lies between
set enable_sort = off
as $$
    select b.block_id
    from (
        select (select s.chunk from gapless.number_state s
                where s.series_id = p_series_id and s.state = 'free'
                order by s.chunk limit 1) * gapless.chunk_size(),
               (select s.chunk + 1 from gapless.number_state s
                where s.series_id = p_series_id and s.state = 'free'
                order by s.chunk desc limit 1) * gapless.chunk_size()
    ) f (first, after)
    join gapless.block b on b.series_id = p_series_id and b.first_ordinal < f.after
        and b.first_ordinal >= coalesce(
            (
                select max(o.first_ordinal)
                from gapless.block o
                where o.series_id = p_series_id and o.first_ordinal <= f.first
            ),
            0
        )
    where b.valid_until < p_moment;
$$;
