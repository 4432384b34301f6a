-- webhook_secret() -> 32 random bytes, from PostgreSQL's source of strong random numbers
--
-- Made here and not by a program, so that no statement, and so no log of statements, has it as a
-- parameter.
create or replace function gapless.webhook_secret() returns bytea
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
    select sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
$$;
