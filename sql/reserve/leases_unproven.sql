-- leases_unproven(p_leases) -> the instances whose journals are missing to open an epoch; null: none
--
-- p_leases: {"instances": [the instances whose journals of leases were read], "known": [{"instance", "heard"}
-- of those that these journals name], "skip": do without}. After a restore only these journals tell of
-- forgotten leases, on which a cut-off instance may still draw. An expired lease proves nothing: numbers
-- drawn before are in use. Needs the journal of every instance that the database or a journal knows, except
-- those without a lease last heard of 30 or more days before the latest; and at least one, since the database
-- may have forgotten all. Needs any only where a series has a reserve, a lease is not closed, or a journal
-- names an instance.
create or replace function gapless.leases_unproven(p_leases jsonb) returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    with said as (
        select i.instance, i.host, i.contact,
               exists (
                   select from gapless.lease l
                   where l.instance = i.instance and l.status in ('open', 'recalled')
               ) as holds
        from gapless.instance i
        union all
        select k.instance, null, k.heard, false
        from jsonb_to_recordset(coalesce(p_leases -> 'known', '[]')) as k (instance uuid, heard timestamptz)
    ), known as (
        select s.instance, max(s.host) as host, max(s.contact) as contact, bool_or(s.holds) as holds
        from said s
        group by s.instance
    ), missing as (
        select k.*
        from known k
        where (k.holds or k.contact > (select max(l.contact) from known l) - interval '30 days')
          and not coalesce(p_leases -> 'instances', '[]') ? k.instance::text
    )
    select case
           when exists (select from missing) then (
               select string_agg(
                          m.instance || coalesce(' at ' || m.host, ', which the database has forgotten'), ', '
                          order by m.contact, m.instance
                      )
               from missing m
           )
           when coalesce(p_leases -> 'instances', '[]') = '[]'
               then 'an instance that the database has forgotten: no journal of leases was read'
           end
    where coalesce((p_leases ->> 'skip')::boolean, false) is false
      and (exists (select from gapless.series s where s.reserve_numbers is not null)
           or exists (select from said s where s.holds)
           or exists (select from jsonb_array_elements(p_leases -> 'known')));
$$;
