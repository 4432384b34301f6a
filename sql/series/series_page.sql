-- series_page(p_visible, p_carrier, p_state, p_search, p_after, p_limit) -> names of series, in order
--
-- Those of p_visible whose carrier is p_carrier, that have p_search in their name, carrier, format or the
-- reference of a block, in any case, and whose name is behind p_after, p_limit of them at most; each null:
-- any. p_state: series_filter in src/series/series.hpp tells the words. Takes no lock.
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
    where (p_visible is null or s.name = any (p_visible))
      and (p_carrier is null or s.carrier = p_carrier)
      and (p_search is null or exists (
          select
          from (
              values (s.name), (s.carrier), (s.format)
              union all
              select b.reference from gapless.block b where b.series_id = s.series_id
          ) w (words)
          where strpos(lower(w.words), lower(p_search)) > 0
      ))
      and (p_after is null or s.name > p_after)
      and case p_state
          when 'paused' then c.paused
          when 'exhausted' then gapless.remaining(s.series_id) = 0
          when 'low' then gapless.remaining(s.series_id) between 1 and s.low_water - 1
          when 'due' then exists (
              select from gapless.alert_state k where k.kind = 'series.order_by' and k.subject = s.series_id
          )
          when 'active' then not c.paused and gapless.remaining(s.series_id) > 0
          else p_state is null
          end
    order by s.name
    limit p_limit;
$$;
