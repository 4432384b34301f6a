-- block_preview(p_series, p_firsts, p_lasts, p_issued_untils, p_valid_untils, p_actor) -> one row per block,
-- in order: the position, cycle and valid_until that it would have if it were loaded now; or the rows of
-- gapless.block_check
--
-- Refuses what a load refuses, but takes no id, so that previews leave no gaps in the ids of blocks,
-- proposals and audit rows. Raises GL005 unknown-series, GL013 block-overlap, GL017 out-of-range. Needs scope
-- load (GL003, GL004: gapless.require_scope). Takes no lock: the later load checks again.
create or replace function gapless.block_preview(
    p_series text, p_firsts bigint[], p_lasts bigint[], p_issued_untils bigint[],
    p_valid_untils timestamptz[], p_actor text
)
returns table (place integer, hits text, "position" integer, cycle integer, valid_until timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_series gapless.series;
    v_taken  int8multirange;
begin
    perform gapless.require_scope('load', p_series, p_actor);
    select * into v_series from gapless.series s where s.series_id = gapless.series_id_of(p_series);
    return query
        select k.place, k.hits, null::integer, null::integer, null::timestamptz
        from gapless.block_check(v_series, p_firsts, p_lasts, p_issued_untils, p_valid_untils) k;
    if found then
        return;
    end if;
    v_taken := gapless.taken_serials(v_series.space, p_firsts, p_lasts);
    return query
        select n.place::integer, null::text,
               (
                   select coalesce(max(b.position), 0) from gapless.block b
                   where b.series_id = v_series.series_id
               ) + n.place::integer,
               gapless.next_cycle(v_series.space, n.first, n.last, v_taken),
               n.valid_until
        from unnest(p_firsts, p_lasts, p_valid_untils) with ordinality as n (first, last, valid_until, place)
        order by n.place;
end;
$$;
