-- leases_unproven(p_leases) -> the instances that an epoch may not be opened without; null: none is missing
--
-- p_leases: {"instances": [the instances whose journals of leases were read], "skip": do without}. After a
-- restore such a journal is all that tells of leases that were forgotten, and an instance that is cut off
-- may draw on them. That the time of a lease is over is no proof: what was drawn before is out. Asked only
-- where a series has a reserve, or a lease that is not closed.
create or replace function gapless.leases_unproven(p_leases jsonb) returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select string_agg(format('%s at %s', i.instance, i.host), ', ' order by i.registered_at, i.instance)
    from gapless.instance i
    where coalesce((p_leases ->> 'skip')::boolean, false) is false
      and not coalesce(p_leases -> 'instances', '[]') ? i.instance::text
      and (exists (select from gapless.series s where s.reserve_numbers is not null)
           or exists (select from gapless.lease l where l.status in ('open', 'recalled')));
$$;
