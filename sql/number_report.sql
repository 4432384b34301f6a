-- number_report(p_series_id, p_serial) -> what became of a number: one row, or none when no block ever held it
--
-- state: free (in a block, not left yet, or back and waiting), held, issued, printed, voided, manifested, returned. ordinal and issuance
-- (turn, head_ordinal) null until it left. Of numbers that were loaded again, the latest cycle speaks. Takes no lock.
create or replace function gapless.number_report(p_series_id integer, p_serial bigint)
returns table (
    state text, ordinal bigint, block_id integer, cycle integer, turn integer, head_ordinal bigint, reference text, issued_at timestamptz,
    why text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    with place as (
        select b.*, case
               when b.state = 'queued' then null
               when b.state = 'closed' and p_serial >= b.closed_serial then null
               when b.state = 'open' and p_serial >= c.next_serial then null
               else b.first_ordinal + (p_serial - b.first_serial)
               end as ordinal
        from gapless.block b
        join gapless.counter c using (series_id)
        where b.series_id = p_series_id and b.first_serial <= p_serial and b.last_serial >= p_serial
        order by b.cycle desc
        limit 1
    )
    select case
           when p.ordinal is not null then gapless.state_at(p_series_id, p.ordinal)
           when p.state = 'closed' then 'voided'
           else 'free'
           end,
           p.ordinal, p.block_id, p.cycle, coalesce(l.head_turn, l.turn), coalesce(l.head_ordinal, l.ordinal), l.reference, l.issued_at,
           case when p.ordinal is null then p.closed_reason end
    from place p
    left join lateral gapless.ledger_row_of(p_series_id, p.ordinal) l on true;
$$;
