-- proposal_make(p_series, p_firsts, p_lasts, p_issued_untils, p_references, p_valid_untils, p_actor) ->
-- its id
--
-- Records blocks that somebody else has to confirm within 7 days (gapless.proposal_confirm). Refuses what a
-- load would refuse (GL005, GL013, GL017); the load checks again. Needs scope load (GL003, GL004:
-- gapless.require_scope). Writes one audit row. Locks the space against loads.
create or replace function gapless.proposal_make(
    p_series text, p_firsts bigint[], p_lasts bigint[], p_issued_untils bigint[], p_references text[],
    p_valid_untils timestamptz[], p_actor text
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series      gapless.series;
    v_hit         record;
    v_proposal_id integer;
    v_arrived     bigint;
begin
    p_actor := gapless.require_scope('load', p_series, p_actor);
    v_series := gapless.lock_space(p_series);
    select k.place, k.hits into v_hit
    from gapless.block_check(v_series, p_firsts, p_lasts, p_issued_untils, p_valid_untils) k
    order by k.place
    limit 1;
    if v_hit.hits is not null then
        raise exception 'block %…% overlaps %',
            gapless.format_number(v_series.program, p_firsts[v_hit.place]),
            gapless.format_number(v_series.program, p_lasts[v_hit.place]), v_hit.hits
            using errcode = 'GL013';
    end if;

    insert into gapless.proposal (
        series_id, firsts, lasts, issued_untils, "references", valid_untils, proposed_by, expires_at
    )
    values (
        v_series.series_id, p_firsts, p_lasts, p_issued_untils, p_references, p_valid_untils,
        gapless.acting_person(), now() + interval '7 days'
    )
    returning proposal_id into v_proposal_id;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'proposal');
    perform gapless.audit(
        p_actor => p_actor, p_action => 'proposal.make', p_subject => v_proposal_id::text, p_before => null,
        p_after => jsonb_build_object(
            'series', p_series, 'blocks', cardinality(p_firsts)::text, 'first', p_firsts[1]::text,
            'last', p_lasts[cardinality(p_lasts)]::text
        )
    );
    return v_proposal_id;
end;
$$;
