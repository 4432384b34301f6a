-- proposal_warnings(p_proposal_id) -> what the person who confirms should check: code, detail in words
--
-- As gapless.block_warnings says of the proposed blocks by now; whoever proposed them has confirmed what
-- there was to warn of then. No row if there is no such proposal.
create or replace function gapless.proposal_warnings(p_proposal_id integer)
returns table (code text, detail text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select w.code, w.detail
    from gapless.proposal p
    cross join lateral gapless.block_warnings(
        p_series => gapless.series_name(p.series_id), p_firsts => p.firsts, p_lasts => p.lasts,
        p_valid_untils => p.valid_untils, p_issued_untils => p.issued_untils
    ) w
    where p.proposal_id = p_proposal_id;
$$;
