-- ordinals_of_ended_blocks(p_series_id, p_numbers) -> the ordinals of blocks from which nothing may be issued
-- any more: closed, recalled (which leaves the state of a block that was used up), or past their valid_until
--
-- Reads only blocks between the first and the last of p_numbers, about which the caller asks: over the years,
-- many blocks have ended.
create or replace function gapless.ordinals_of_ended_blocks(p_series_id integer, p_numbers int8multirange)
returns int8multirange
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(range_agg(u.ordinals), '{}')
    from gapless.block b
    cross join lateral gapless.used_part(b) u
    where b.series_id = p_series_id and b.first_ordinal < upper(p_numbers)
      and b.first_ordinal >= (
          select max(o.first_ordinal)
          from gapless.block o
          where o.series_id = p_series_id and o.first_ordinal <= lower(p_numbers)
      )
      and (b.state = 'closed' or b.recalled_at is not null or b.valid_until < gapless.believed_moment(now()));
$$;
