-- erasure_begin(p_series, p_before, p_reference, p_reason, p_actor) -> the erasure's audit_id, null if there
-- is nothing to erase
--
-- Puts an erasure of references on record (gapless.erasable_references says which): who, why and how many,
-- never the text. gapless.erase_references then erases them under this audit_id, in as many transactions as
-- it takes, and none of numbers that were issued since: what is on record is the last ordinal and the last
-- turn that were counted. So nothing is ever erased without a record. An interrupted erasure is begun again,
-- and its next record says how many were left. Raises what gapless.erasable_references raises, and GL017
-- without a reason.
create or replace function gapless.erasure_begin(
    p_series text, p_before timestamptz, p_reference text, p_reason text, p_actor text
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_references bigint;
    v_through    bigint;
    v_turns      integer;
begin
    -- One snapshot for all three: the ledger has no row up to these marks that was not counted, and never
    -- gets one, because the counter moves on with each row, under its lock.
    select gapless.erasable_references(p_series, p_before, p_reference), c.next_ordinal - 1, c.turn
    into v_references, v_through, v_turns
    from gapless.counter c
    where c.series_id = gapless.series_id_of(p_series);
    if coalesce(btrim(p_reason), '') = '' or length(p_reason) > 255 then
        raise exception 'erasing references needs a reason of 1 to 255 characters' using errcode = 'GL017';
    end if;
    if v_references = 0 then
        return null;
    end if;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'reference.erase', p_subject => p_series, p_before => null,
        p_after => jsonb_strip_nulls(
            jsonb_build_object(
                'references', v_references::text, 'through', v_through::text, 'turns', v_turns::text,
                'before', to_char(p_before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                'reason', p_reason, 'role', session_user
            )
        )
    );
    return currval('gapless.audit_log_audit_id_seq');
end;
$$;
