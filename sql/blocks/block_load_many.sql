-- block_load_many(p_series, p_firsts, p_lasts, p_references, p_valid_untils, p_actor) -> one row per block,
-- in order
--
-- Puts many blocks at the end of the series' queue, all or none, or returns those that overlap loaded ones
-- (gapless.block_add). Raises GL005 unknown-series, GL013 block-overlap for overlaps among the new ones,
-- GL017 out-of-range. Needs and locks what gapless.block_load does. Writes one audit row.
create or replace function gapless.block_load_many(
    p_series text, p_firsts bigint[], p_lasts bigint[], p_references text[], p_valid_untils timestamptz[],
    p_actor text
)
returns table (place integer, block_id integer, hits text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_series gapless.series;
    v_hit    boolean := false;
begin
    p_actor := gapless.require_scope('load', p_series, p_actor);
    v_series := gapless.lock_space(p_series);
    perform gapless.refuse_one_person(v_series.space);
    for place, block_id, hits in
        select a.place, a.block_id, a.hits
        from gapless.block_add(
            p_series => v_series, p_firsts => p_firsts, p_lasts => p_lasts,
            p_issued_untils => array_fill(null::bigint, array[cardinality(p_firsts)]),
            p_references => p_references, p_valid_untils => p_valid_untils, p_actor => p_actor
        ) a
    loop
        v_hit := v_hit or hits is not null;
        return next;
    end loop;
    if not v_hit then
        perform gapless.audit(
            p_actor => p_actor, p_action => 'block.load', p_subject => p_series, p_before => null,
            p_after => jsonb_build_object(
                'blocks', cardinality(p_firsts)::text, 'first', p_firsts[1]::text,
                'last', p_lasts[cardinality(p_lasts)]::text
            )
        );
    end if;
end;
$$;
