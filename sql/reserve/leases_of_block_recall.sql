-- leases_of_block_recall(p_series_id, p_block_id) -> what of a block is on lease, as gapless.leases_told says
-- it; recalls its open leases
--
-- Called when a block ends, so that instances stop drawing on it. Locks the leases.
create or replace function gapless.leases_of_block_recall(p_series_id integer, p_block_id integer)
returns text[]
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    update gapless.lease l set status = 'recalled'
    where l.lease in (
        select o.lease
        from gapless.lease o
        join gapless.ledger r using (series_id, turn, ordinal)
        where o.series_id = p_series_id and o.status = 'open' and r.block_id = p_block_id
        for no key update of o
    );
    return gapless.leases_told(p_series_id, p_block_id);
end;
$$;
