-- reference_digest(p_salt, p_reference) -> SHA-256 of the salt's 16 bytes and the text in UTF-8: what the
-- chain seals of a reference; inlined
--
-- It stays when text and salt are erased. The salt is random, so nobody can guess the text from the digest.
create or replace function gapless.reference_digest(p_salt uuid, p_reference text) returns bytea
language sql
stable
as $$
    select sha256(uuid_send(p_salt) || convert_to(p_reference, 'UTF8'));
$$;
