-- verify_all() -> what gapless.verify_series returns, for each series, ordered by name
--
-- While there is no series, findings about the guards are a row of the series '*'.
-- One pass over the ledger and one snapshot for all of them.
create or replace function gapless.verify_all()
returns table (series text, rows bigint, numbers numeric, blocks bigint, findings jsonb)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with guards as materialized (select gapless.verify_guards() as findings)
    select '*', 0, 0, 0, g.findings
    from guards g
    where g.findings <> '[]' and not exists (select from gapless.series)
    union all
    select s.name, v.*
    from gapless.series s
    cross join guards g
    left join (
        select p.series_id, array_agg(p) as parts from gapless.verify_parts(null) p group by p.series_id
    ) l using (series_id)
    cross join lateral gapless.verify_ledger(s.series_id, coalesce(l.parts, '{}'), g.findings) v
    order by 1;
$$;
