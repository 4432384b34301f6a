-- key_to_uuid(p_key) -> the 128 bits an idempotency key is stored as, null for null
--
-- A UUID is stored as it is (one in time order keeps the index local), any other key as the first 128 bits of
-- its SHA-256. src/base/idempotency_key.cpp has the same rule. Raises GL001 unless the key has 1 to 255
-- printable ASCII characters.
create or replace function gapless.key_to_uuid(p_key text) returns uuid
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_key is null then
        return null;
    end if;
    if length(p_key) not between 1 and 255 or p_key !~ '^[ -~]+$' then
        raise exception 'an idempotency key has 1 to 255 printable ASCII characters' using errcode = 'GL001';
    end if;
    if p_key in
       ('undefined', 'null', 'NULL', 'nil', 'None', 'NaN', '(null)', '<nil>', '[object Object]') then
        raise exception 'the idempotency key is %, which a program writes for a missing value', p_key
            using errcode = 'GL001';
    end if;
    if p_key ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
        return p_key::uuid;
    end if;
    return encode(substr(sha256(convert_to(p_key, 'UTF8')), 1, 16), 'hex')::uuid;
end;
$$;
