-- lease_holders(p_instance, p_secret) -> instances that may have numbers on lease, or had within 30 days, and
-- when each was heard of last
--
-- Instances note them in their journals: a database that is put back may have forgotten one, and nothing else
-- tells then that there may be numbers of it (gapless.leases_unproven). For an instance that proves itself
-- (GL004: gapless.require_secret). Takes no lock.
create or replace function gapless.lease_holders(p_instance uuid, p_secret bytea)
returns table (instance uuid, contact timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    perform gapless.require_secret(p_instance, p_secret);
    return query
        select i.instance, i.contact from gapless.instance i
        where i.contact > clock_timestamp() - interval '30 days'
           or exists (
               select from gapless.lease l where l.instance = i.instance and l.status in ('open', 'recalled')
           );
end;
$$;
