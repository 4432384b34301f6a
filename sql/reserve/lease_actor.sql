-- lease_actor(p_instance) -> the actor that records name for an instance: lease:ID at HOST
create or replace function gapless.lease_actor(p_instance uuid) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select format('lease:%s at %s', p_instance, coalesce(
        (select i.host from gapless.instance i where i.instance = p_instance), '?'));
$$;
