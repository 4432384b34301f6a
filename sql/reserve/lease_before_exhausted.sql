-- lease_before_exhausted(p_series_id, p_missing) -> whether numbers on lease may still serve a request that
-- lacks p_missing numbers
--
-- Called before a request is refused because the series is exhausted: instances may hold numbers on lease
-- that nobody got yet (gapless.lease_stock). Recalls their leases; the instances return what is left as soon
-- as they hear of it. False if that would not be enough. Never waits: a lease that is being changed is
-- recalled the next time.
create or replace function gapless.lease_before_exhausted(p_series_id integer, p_missing bigint)
returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if gapless.lease_stock(p_series_id) < p_missing then
        return false;
    end if;
    update gapless.lease l set status = 'recalled'
    where l.lease in (
        select o.lease
        from gapless.lease o
        where o.series_id = p_series_id and o.status = 'open'
        for no key update skip locked
    );
    return true;
end;
$$;
