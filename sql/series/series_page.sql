-- series_page(p_visible, p_carrier, p_state, p_search, p_after, p_limit) -> names of series, in order
--
-- Those of p_visible whose carrier is p_carrier, whose name or carrier holds p_search in any case, and whose
-- name is behind p_after, p_limit of them at most; each null: any. p_state: paused; else by what is left:
-- exhausted (none), low (fewer than low_water), active (more; a series that is low is active, too). Takes no
-- lock.
create or replace function gapless.series_page(
    p_visible text[] default null, p_carrier text default null, p_state text default null,
    p_search text default null, p_after text default null, p_limit integer default null
)
returns setof text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select s.name
    from gapless.series s
    join gapless.counter c using (series_id)
    left join lateral (
        select sum(b.last_serial - b.first_serial + 1) as numbers
        from gapless.block b
        where p_state is not null and b.series_id = s.series_id and b.state = 'queued'
    ) q on true
    cross join lateral (
        select coalesce(c.last_serial - c.next_serial + 1, 0) + coalesce(q.numbers, 0) + c.waiting as numbers
    ) rest
    where (p_visible is null or s.name = any (p_visible))
      and (p_carrier is null or s.carrier = p_carrier)
      and (p_search is null or strpos(lower(s.name), lower(p_search)) > 0
           or strpos(lower(s.carrier), lower(p_search)) > 0)
      and (p_after is null or s.name > p_after)
      and case p_state
          when 'paused' then c.paused
          when 'exhausted' then rest.numbers = 0
          when 'low' then rest.numbers > 0 and rest.numbers < s.low_water
          when 'active' then rest.numbers > 0 and not c.paused
          else p_state is null
          end
    order by s.name
    limit p_limit;
$$;
