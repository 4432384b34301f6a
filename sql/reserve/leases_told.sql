-- leases_told(p_series_id, p_block_id, p_lease) -> what is on lease of a series, for records: one text each,
-- "12 numbers on lease at packing-1, last contact 2026-11-24T05:00:00Z"; null: nothing is
--
-- Only of that block and of that lease (each null: any).
create or replace function gapless.leases_told(
    p_series_id integer, p_block_id integer default null, p_lease uuid default null
)
returns text[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select array_agg(
        format(
            '%s %s on lease at %s, last contact %s', gapless.size_of(h.held),
            case when gapless.size_of(h.held) = 1 then 'number' else 'numbers' end, i.host,
            gapless.moment(i.contact)
        ) order by l.place
    )
    from gapless.lease l
    join gapless.instance i using (instance)
    join gapless.hold h using (series_id, turn, ordinal)
    join gapless.ledger r using (series_id, turn, ordinal)
    where l.series_id = p_series_id and l.status in ('open', 'recalled') and not isempty(h.held)
      and (p_block_id is null or r.block_id = p_block_id) and (p_lease is null or l.lease = p_lease);
$$;
