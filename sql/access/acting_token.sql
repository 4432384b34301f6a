-- acting_token() -> the token for which this transaction acts; all null if it names none, or not its secret's
-- hash
--
-- To act for a token, a transaction names it and shows its hash, in gapless.token_id and gapless.token_hash
-- (hex; name_actor in src/access/token_store.cpp). This does not check whether it is in force. The comparison
-- does not take constant time and need not: it compares the hash of 256 random bits, and knowing its first
-- bytes brings nobody nearer to a secret.
create or replace function gapless.acting_token() returns gapless.token
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select t
        from gapless.token t
        where t.token_id = nullif(current_setting('gapless.token_id', true), '')::integer
          and encode(t.secret_hash, 'hex') = current_setting('gapless.token_hash', true)
    );
end;
$$;
