-- webhook_patience() -> how long a notice is tried before its webhook is dead
create or replace function gapless.webhook_patience() returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select interval '72 hours';
$$;
