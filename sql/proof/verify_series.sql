-- verify_series(p_series_id) -> one row: what was checked, and the findings as an array of {"at", "what"}
--
-- Recomputes from the ledger what the counter and the blocks of a series claim. Reads one snapshot and takes
-- no lock that issuing waits for.
create or replace function gapless.verify_series(
    p_series_id integer, out rows bigint, out numbers numeric, out blocks bigint, out findings jsonb
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select v.*
    from gapless.verify_ledger(
        p_series_id, array(select p from gapless.verify_parts(p_series_id) p), gapless.verify_guards()
    ) v;
$$;
