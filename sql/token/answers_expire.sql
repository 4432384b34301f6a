-- answers_expire(p_life, p_limit) -> how many kept answers went
--
-- Deletes answers older than p_life, oldest first, at most p_limit of them; from then on their keys are new
-- ones. Repeat it while it deletes that many. Waits for nobody. Of keys that issued, the ledger keeps the
-- memory for ever.
create or replace function gapless.answers_expire(p_life interval, p_limit integer default 1000)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_gone bigint;
begin
    delete from gapless.answered_request a
    where a.ctid = any (array(
        select o.ctid from gapless.answered_request o
        where o.answered_at < now() - p_life
        order by o.answered_at
        limit p_limit
        for update skip locked
    ));
    get diagnostics v_gone = row_count;
    return v_gone;
end;
$$;
