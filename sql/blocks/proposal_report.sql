-- proposal_report(p_series, p_proposal_id, p_after, p_limit, p_state) -> one row per block of each, by id
--
-- Proposals of these series (null: all), with that id or after p_after, in that state (null: any), at most
-- p_limit. state: proposed, confirmed, rejected, or expired by the database's clock. Takes no lock.
create or replace function gapless.proposal_report(
    p_series text[] default null, p_proposal_id integer default null, p_after integer default null,
    p_limit integer default 1000, p_state text default null
)
returns table (
    proposal_id integer, state text, series text, proposed_by text, proposed_at timestamptz,
    expires_at timestamptz, settled_by text, settled_at timestamptz, first bigint, last bigint,
    issued_until bigint, reference text, valid_until timestamptz
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select p.proposal_id, p.told, p.name, p.proposed_by, p.proposed_at, p.expires_at, p.settled_by,
           p.settled_at, n.first, n.last, n.issued_until, n.reference, n.valid_until
    from (
        select p.*, s.name, t.told
        from gapless.proposal p
        join gapless.series s using (series_id)
        cross join lateral (
            select case when p.state = 'proposed' and p.expires_at <= now() then 'expired' else p.state end
        ) t (told)
        where (p_series is null or s.name = any (p_series))
          and (p_proposal_id is null or p.proposal_id = p_proposal_id)
          and (p_after is null or p.proposal_id > p_after)
          and (p_state is null or t.told = p_state)
        order by p.proposal_id
        limit p_limit
    ) p
    cross join lateral unnest(p.firsts, p.lasts, p.issued_untils, p."references", p.valid_untils)
        with ordinality as n (first, last, issued_until, reference, valid_until, place)
    order by p.proposal_id, n.place;
$$;
