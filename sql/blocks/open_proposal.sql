-- open_proposal(p_proposal_id) -> the proposal, locked
--
-- Raises GL008 not-found, GL014 state-conflict if it is settled or expired.
create or replace function gapless.open_proposal(p_proposal_id integer) returns gapless.proposal
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_proposal gapless.proposal;
begin
    select * into v_proposal from gapless.proposal p where p.proposal_id = p_proposal_id for update;
    if not found then
        raise exception 'there is no proposal %; list them: gapless proposal list', p_proposal_id
            using errcode = 'GL008';
    end if;
    if v_proposal.state <> 'proposed' then
        raise exception 'proposal % was % by %', p_proposal_id, v_proposal.state, v_proposal.settled_by
            using errcode = 'GL014';
    end if;
    if v_proposal.expires_at <= now() then
        raise exception 'proposal % expired at %; propose it again', p_proposal_id,
            to_char(v_proposal.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            using errcode = 'GL014';
    end if;
    return v_proposal;
end;
$$;
