-- proposal_reject(p_proposal_id, p_actor) -> nothing
--
-- Rejects it, so that nothing is loaded; the proposer may do this, too. Raises GL008 not-found, GL014
-- state-conflict if it is settled or expired. Needs scope load (GL003, GL004: gapless.require_scope). Writes
-- one audit row.
create or replace function gapless.proposal_reject(p_proposal_id integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_proposal gapless.proposal;
begin
    p_actor := gapless.require_scope(
        'load', gapless.proposal_series(p_proposal_id), p_actor
    );
    v_proposal := gapless.open_proposal(p_proposal_id);
    update gapless.proposal p set state = 'rejected', settled_by = gapless.acting_person(),
        settled_at = now()
    where p.proposal_id = p_proposal_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'proposal.reject', p_subject => p_proposal_id::text,
        p_before => jsonb_build_object('state', 'proposed', 'proposed_by', v_proposal.proposed_by),
        p_after => jsonb_build_object('state', 'rejected')
    );
end;
$$;
