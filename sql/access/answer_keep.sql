-- answer_keep(p_owner_id, p_key, p_fingerprint, p_status, p_location, p_body) -> nothing
--
-- Keeps the answer to a request other than issuing, in the transaction of its effect, with what it required
-- of its token (gapless.note_requirement). Raises 23505 if the key has an answer. Never used for an answer
-- that contains a secret: such a request is not replayed. Has no body where a repeated key gets the present
-- state (settle_hold in src/numbers/number_cases.hpp).
create or replace function gapless.answer_keep(
    p_owner_id integer, p_key text, p_fingerprint bytea, p_status integer, p_location text, p_body text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into gapless.answered_request (owner_id, key, fingerprint, status, location, body, required)
    values (
        p_owner_id, gapless.key_to_uuid(p_key), p_fingerprint, p_status, p_location, p_body,
        nullif(current_setting('gapless.required', true), '')::jsonb
    );
end;
$$;
