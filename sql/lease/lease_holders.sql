-- lease_holders() -> instances that may have numbers on lease, or had within 30 days, and when each was heard
-- of last
--
-- Instances note them in their journals: a database that is put back may have forgotten one, and nothing else
-- tells then that there may be numbers of it (gapless.leases_unproven). Takes no lock.
create or replace function gapless.lease_holders() returns table (instance uuid, contact timestamptz)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select i.instance, i.contact from gapless.instance i
    where i.contact > clock_timestamp() - interval '30 days'
       or exists (
           select from gapless.lease l where l.instance = i.instance and l.status in ('open', 'recalled')
       );
$$;
