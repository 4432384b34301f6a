-- block_load_many(p_series, p_firsts, p_lasts, p_references, p_valid_untils, p_actor) -> one row per block, in order
--
-- Puts many blocks at the end of the series' queue, all or none; element k of the arrays is block k. When one
-- overlaps a loaded block whose numbers may not be loaded again (see gapless.block_load), nothing is loaded and the only rows are
-- those of the blocks that do: without an id, with the hits in words. Raises GL005 unknown-series, GL013 block-overlap for overlaps
-- among the new ones, GL017 out-of-range. Needs scope load (GL003, GL004: gapless.require_scope).
-- Writes one audit row. Locks the series of the space against other loads, not against issuing.
create or replace function gapless.block_load_many(
    p_series text, p_firsts bigint[], p_lasts bigint[], p_references text[], p_valid_untils timestamptz[], p_actor text
)
returns table (place integer, block_id integer, hits text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_series   gapless.series;
    v_position integer;
    v_arrived  bigint;
begin
    p_actor := gapless.require_scope('load', p_series, p_actor);
    v_series := gapless.lock_space(p_series);

    if exists (
        select from unnest(p_firsts, p_lasts) as n (first, last)
        where (0 <= n.first and n.first <= n.last and n.last <= 9223372036854775806) is not true
    ) then
        raise exception 'a block does not run upwards within 0…9223372036854775806' using errcode = 'GL017';
    end if;
    if exists (
        select from (
            select n.first, max(n.last) over (order by n.first, n.last rows between unbounded preceding and 1 preceding) as last_before
            from unnest(p_firsts, p_lasts) as n (first, last)
        ) n
        where n.first <= n.last_before
    ) then
        raise exception 'two of the blocks share numbers' using errcode = 'GL013';
    end if;

    return query
        select n.place::integer, null::integer,
               string_agg(format('block %s of series %L (%s…%s)', h.block_id, h.name, h.first, h.last), ', ' order by h.first_serial)
                   filter (where h.place <= 10)
        from unnest(p_firsts, p_lasts) with ordinality as n (first, last, place)
        cross join lateral gapless.overlapping_blocks(v_series.space, n.first, n.last) h
        where h.reuse_from > now() is not false
        group by n.place
        order by n.place
        limit 20;
    if found then
        return;
    end if;

    select coalesce(max(b.position), 0) into v_position from gapless.block b where b.series_id = v_series.series_id;
    return query
        with loaded as (
            insert into gapless.block (
                series_id, space, first_serial, last_serial, position, cycle, reference, valid_until, loaded_by
            )
            select v_series.series_id, v_series.space, n.first, n.last, v_position + n.place,
                   (select coalesce(max(h.cycle), 0) + 1 from gapless.overlapping_blocks(v_series.space, n.first, n.last) h),
                   n.reference, n.valid_until, p_actor
            from unnest(p_firsts, p_lasts, p_references, p_valid_untils)
                with ordinality as n (first, last, reference, valid_until, place)
            order by n.place
            returning block.block_id, block.position
        )
        select l.position - v_position, l.block_id, null::text from loaded l order by l.position;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, cardinality(p_firsts), 'block');

    perform gapless.audit(
        p_actor, 'block.load', p_series, null,
        jsonb_build_object('blocks', cardinality(p_firsts)::text, 'first_position', v_position + 1)
    );
exception
    when exclusion_violation then
        raise exception 'a block overlaps another one of space % that was loaded at this moment',
            quote_literal(v_series.space)
            using errcode = 'GL013';
end;
$$;
