-- proposal_is_settled_once() -> trigger on gapless.proposal: a proposal stays as it was made, and is
-- confirmed or rejected once
--
-- Raises 23514, even for the owner: nobody may swap the blocks of a proposal that somebody is looking at.
create or replace function gapless.proposal_is_settled_once() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_settled gapless.proposal := new;
begin
    v_settled.state := old.state;
    v_settled.settled_by := old.settled_by;
    v_settled.settled_at := old.settled_at;
    if old.state <> 'proposed' or v_settled is distinct from old then
        raise exception 'proposal % is %, its blocks and its end stay as they are', old.proposal_id, old.state
            using errcode = 'check_violation', constraint = 'proposal_is_settled_once',
                  schema = 'gapless', table = 'proposal';
    end if;
    return new;
end;
$$;

create or replace trigger proposal_is_settled_once before update on gapless.proposal
    for each row execute function gapless.proposal_is_settled_once();
