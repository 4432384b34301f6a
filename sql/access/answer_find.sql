-- answer_find(p_owner_id, p_key, p_fingerprint) -> the kept answer to this key, or no row
--
-- Raises GL016 when the key was spent on another request, also on an issuance; and GL003, GL004, GL005, GL008
-- as the act would, where the acting token lacks what the act asked for (gapless.require_again): tokens of
-- one name share their keys, and one may reach further than another. At READ COMMITTED it locks the key until
-- COMMIT; above, PostgreSQL has the second one fail.
create or replace function gapless.answer_find(p_owner_id integer, p_key text, p_fingerprint bytea)
returns table (status integer, location text, body text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_answer gapless.answered_request;
    v_spent  timestamptz;
begin
    -- Who has the key at this moment keeps an answer or gives it back. Nothing else has one of two wait.
    if current_setting('transaction_isolation') = 'read committed' then
        perform pg_advisory_xact_lock(28267, hashtext(p_owner_id || ' ' || p_key)); -- "nk" in ASCII
    end if;
    select * into v_answer
    from gapless.answered_request a
    where a.owner_id = p_owner_id and a.key = gapless.key_to_uuid(p_key);
    if found and v_answer.fingerprint = p_fingerprint then
        perform gapless.require_again(v_answer.required);
        return query select v_answer.status, v_answer.location, v_answer.body;
        return;
    end if;
    v_spent := v_answer.answered_at;
    if not found then
        select l.issued_at into v_spent
        from gapless.ledger l
        where l.key = gapless.key_to_uuid(p_key) and l.owner_id = p_owner_id;
    end if;
    if found then
        raise exception '%', gapless.key_reused(v_spent) using errcode = 'GL016';
    end if;
end;
$$;
