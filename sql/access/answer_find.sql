-- answer_find(p_owner_id, p_key, p_fingerprint) -> the kept answer to this key, or no row
--
-- Raises GL016 if the key was spent on another request or an issuance; GL003, GL004, GL005, GL008 as the
-- operation would, if the acting token lacks what it required (gapless.require_again): tokens of one name
-- share keys, but not reach. Locks the key until COMMIT at READ COMMITTED; above, the second one fails.
create or replace function gapless.answer_find(p_owner_id integer, p_key text, p_fingerprint bytea)
returns table (status integer, location text, body text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_answer  gapless.answered_request;
    v_spent   timestamptz;
    v_differs text := 'path';
begin
    -- The holder of this lock keeps an answer or rolls back. Nothing else makes the second of two requests
    -- wait.
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
    if found then
        v_differs := concat_ws(
            ', ',
            case when substr(v_answer.fingerprint, 1, 16) <> substr(p_fingerprint, 1, 16) then 'path' end,
            case when substr(v_answer.fingerprint, 17) <> substr(p_fingerprint, 17) then 'body' end
        );
    else
        select l.issued_at into v_spent
        from gapless.ledger l
        where l.key = gapless.key_to_uuid(p_key) and l.owner_id = p_owner_id;
    end if;
    if found then
        raise exception '%', gapless.key_reused(v_spent, v_differs) using errcode = 'GL016';
    end if;
end;
$$;
