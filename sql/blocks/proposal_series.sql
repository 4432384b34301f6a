-- proposal_series(p_proposal_id) -> the name of its series, empty if there is no such proposal
create or replace function gapless.proposal_series(p_proposal_id integer) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select gapless.series_name(
        (select p.series_id from gapless.proposal p where p.proposal_id = p_proposal_id)
    );
$$;
