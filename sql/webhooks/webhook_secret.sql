-- webhook_secret() -> 32 random bytes, from PostgreSQL's source of strong random numbers
--
-- Created here, not by a program, so that it is never a parameter in a statement, nor in a statement log.
create or replace function gapless.webhook_secret() returns bytea
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
    select sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
$$;
