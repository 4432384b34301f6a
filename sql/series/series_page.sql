-- series_page(p_visible, p_carrier, p_state, p_search, p_after, p_limit) -> names of series, in order
--
-- Those of p_visible with the carrier p_carrier, with p_search in their name, carrier, format or a block's
-- reference (case-insensitive), and with a name after p_after, at most p_limit; each null: any. The words of
-- p_state are in src/series/series.hpp (series_filter). Takes no lock.
create or replace function gapless.series_page(
    p_visible text[] default null, p_carrier text default null, p_state text default null,
    p_search text default null, p_after text default null, p_limit integer default null
)
returns setof text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan -- filters that are null cost nothing, and the scan starts at p_after
as $$
begin
    return query
        select s.name
        from gapless.series s
        join gapless.counter c using (series_id)
        join gapless.stock r using (series_id)
        where (p_visible is null or s.name = any (p_visible))
          and (p_carrier is null or s.carrier = p_carrier)
          and (
              p_search is null or strpos(lower(s.name), lower(p_search)) > 0
              or strpos(lower(s.carrier), lower(p_search)) > 0 or strpos(s.format, lower(p_search)) > 0
              or exists (
                  select
                  from gapless.block b
                  where b.series_id = s.series_id -- collation "C" has no upper case of ä
                    and strpos(lower(b.reference collate "default"), lower(p_search)) > 0
              )
          )
          and (p_after is null or s.name > p_after)
          and case p_state
              when 'paused' then c.paused
              when 'due' then s.series_id in (
                  select k.subject from gapless.alert_state k where k.kind = 'series.order_by'
              )
              when 'exhausted' then r.remaining = 0
              when 'low' then r.remaining between 1 and s.low_water - 1
              when 'active' then not c.paused and r.remaining > 0
              else p_state is null
              end
        order by s.name
        limit p_limit;
end;
$$;
