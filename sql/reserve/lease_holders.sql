-- lease_holders(p_instance, p_secret) -> instances that may have numbers on lease, or were heard of within 30
-- days, and when that was last
--
-- Instances note them in their journals: a restored database may have forgotten an instance, and then nothing
-- else tells that it may have numbers (gapless.leases_unproven). The instance must prove itself (GL004:
-- gapless.require_secret). Takes no lock.
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
