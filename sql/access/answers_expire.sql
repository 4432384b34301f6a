-- answers_expire(p_life, p_limit) -> how many kept answers it deleted
--
-- Deletes answers older than p_life, oldest first, at most p_limit of them; their keys then count as new.
-- Repeat it while it deletes that many. Deletes nothing while the clock is in doubt. Never waits. The ledger
-- remembers keys that issued for ever. Raises GL017 out-of-range for less than an hour, the minimum of
-- answer_life, except for the owner: a compromised service cannot delete younger answers.
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
    if (p_life >= interval '1 hour') is not true and not gapless.acts_as_owner() then
        raise exception 'answers live 1 hour or longer, not %', p_life using errcode = 'GL017';
    end if;
    if gapless.clock_doubted() then
        return 0;
    end if;
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
