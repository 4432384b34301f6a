-- carrier_report(p_code, p_series) -> one row per carrier, by code
--
-- The one with that code, and those with one of these series (each null: all).
create or replace function gapless.carrier_report(p_code text default null, p_series text[] default null)
returns table (code text, lead_days integer, four_eyes boolean, contact text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select c.code, c.lead_days, c.four_eyes, c.contact
    from gapless.carrier c
    where (p_code is null or c.code = p_code)
      and (p_series is null or exists (
          select from gapless.series s where s.carrier = c.code and s.name = any (p_series)
      ))
    order by c.code;
$$;
