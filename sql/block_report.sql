-- block_report(p_series, p_block_id) -> one row per block, by series and position; null for all
--
-- issued, remaining and next follow from the counter while the block is open. A block whose last number left reads
-- exhausted, although its row says open until the next block is opened. Takes no lock.
create or replace function gapless.block_report(p_series text default null, p_block_id integer default null)
returns table (
    block_id integer, series text, first bigint, last bigint, count bigint, issued bigint, remaining bigint, next bigint,
    state text, reference text, valid_until timestamptz, "position" integer, first_ordinal bigint, cycle integer
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select b.block_id, s.name, b.first_serial, b.last_serial, b.last_serial - b.first_serial + 1,
           n.next_serial - b.first_serial,
           case when b.state = 'closed' then 0 else b.last_serial - n.next_serial + 1 end,
           case when b.state <> 'closed' and n.next_serial <= b.last_serial then n.next_serial end,
           case when b.state = 'open' and n.next_serial > b.last_serial then 'exhausted' else b.state end,
           b.reference, b.valid_until, b.position, b.first_ordinal, b.cycle
    from gapless.block b
    join gapless.series s using (series_id)
    join gapless.counter c using (series_id)
    cross join lateral (
        select case b.state
               when 'queued' then b.first_serial
               when 'open' then c.next_serial
               when 'exhausted' then b.last_serial + 1
               else b.closed_serial
               end as next_serial
    ) n
    where (p_series is null or s.name = p_series) and (p_block_id is null or b.block_id = p_block_id)
    order by s.name, b.position;
$$;
