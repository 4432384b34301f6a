-- lease_key(p_key, p_lease, p_ordinal) -> the key for an answer from a lease whose own key was spent on
-- another issuance: everybody derives the same
create or replace function gapless.lease_key(p_key uuid, p_lease uuid, p_ordinal bigint) returns uuid
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select encode(substr(sha256(convert_to(
        format('%s of lease %s at %s', p_key, p_lease, p_ordinal), 'UTF8')), 1, 16), 'hex')::uuid;
$$;
