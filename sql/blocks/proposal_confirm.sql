-- proposal_confirm(p_proposal_id, p_actor) -> one row per block, in order, as from gapless.block_add
--
-- Loads the blocks that somebody else proposed; if one now overlaps a loaded block, loads nothing and leaves
-- the proposal open. Raises GL008 not-found, GL004 forbidden for a proposal of the same person
-- (gapless.acting_person), GL014 state-conflict if it is settled or expired, and whatever a load raises.
-- Needs scope load (GL003, GL004: gapless.require_scope). Writes one audit row. Locks the proposal, then the
-- space.
create or replace function gapless.proposal_confirm(p_proposal_id integer, p_actor text)
returns table (place integer, block_id integer, hits text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_proposal gapless.proposal;
    v_person   text;
    v_hit      boolean := false;
begin
    p_actor := gapless.require_scope(
        'load', gapless.proposal_series(p_proposal_id), p_actor
    );
    v_proposal := gapless.open_proposal(p_proposal_id);
    v_person := gapless.acting_person();
    if v_proposal.proposed_by = v_person then
        raise exception
            'proposal % is your own: % proposed it, and you count as the same person; %',
            p_proposal_id, v_person,
            case
            when gapless.two_people_load(gapless.space_of(gapless.series_name(v_proposal.series_id)))
                then 'somebody else has to confirm it'
            else 'reject it and load its blocks yourself, or let somebody else confirm it'
            end
            using errcode = 'GL004';
    end if;
    for place, block_id, hits in
        select a.place, a.block_id, a.hits
        from gapless.block_add(
            p_series => gapless.lock_space(gapless.series_name(v_proposal.series_id)),
            p_firsts => v_proposal.firsts, p_lasts => v_proposal.lasts,
            p_issued_untils => v_proposal.issued_untils, p_references => v_proposal."references",
            p_valid_untils => v_proposal.valid_untils, p_actor => p_actor
        ) a
    loop
        v_hit := v_hit or hits is not null;
        return next;
    end loop;
    if v_hit then
        return;
    end if;
    update gapless.proposal p set state = 'confirmed', settled_by = v_person, settled_at = now()
    where p.proposal_id = p_proposal_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'proposal.confirm', p_subject => p_proposal_id::text,
        p_before => jsonb_build_object('state', 'proposed', 'proposed_by', v_proposal.proposed_by),
        p_after => jsonb_build_object('state', 'confirmed')
    );
end;
$$;
