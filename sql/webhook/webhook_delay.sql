-- webhook_delay(p_attempts) -> how long a lane waits after so many attempts in a row failed
create or replace function gapless.webhook_delay(p_attempts integer) returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (array['5 s', '30 s', '2 min', '10 min', '30 min', '1 h']::interval[])[p_attempts], interval '3 h'
    );
$$;
