-- lease_stock(p_series_id) -> how many numbers on lease nobody got yet and may still serve requests
--
-- Numbers of an overdue lease do not count: if the instance has not returned them by draw_until, it will not
-- be in time. Takes no lock.
create or replace function gapless.lease_stock(p_series_id integer) returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(sum(gapless.size_of(h.held)), 0)::bigint
    from gapless.lease l
    join gapless.hold h using (series_id, turn, ordinal)
    where l.series_id = p_series_id and l.status in ('open', 'recalled')
      and l.draw_until > clock_timestamp();
$$;
