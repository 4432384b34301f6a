-- number_report(p_series_id, p_serial) -> what became of a number: one row, or none if no block ever held it
--
-- state: free (in a block and not issued yet, or released or expired), held, issued, printed, voided,
-- manifested, returned, or elsewhere (issued by another system before the block was loaded). ordinal and
-- issuance (turn, head_ordinal) are null until it is issued. If numbers were loaded again, reports what
-- block_of finds. issued_at of a number answered from a lease is the moment of that answer. Takes no lock.
create or replace function gapless.number_report(p_series_id integer, p_serial bigint)
returns table (
    state text, ordinal bigint, block_id integer, cycle integer, turn integer, head_ordinal bigint,
    reference text, issued_at timestamptz, why text, reference_erased boolean,
    recalled boolean
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    with place as (
        select b.*,
               case
                   when p_serial >= b.first_serial and p_serial < u.next_serial
                       then b.first_ordinal + (p_serial - b.first_serial)
                   end as ordinal
        from gapless.block_of(p_series_id, p_serial) b
        join gapless.counter c using (series_id)
        cross join lateral gapless.used_part(b, c.next_serial) u
    )
    select case
           when p_serial < p.first_serial then 'elsewhere'
           when p.ordinal is not null then gapless.state_at(p_series_id, p.ordinal)
           when p.state = 'closed' then 'voided'
           else 'free'
           end,
           p.ordinal, p.block_id, p.cycle, coalesce(l.head_turn, l.turn), coalesce(l.head_ordinal, l.ordinal),
           l.reference, coalesce((
               select k.answered_at
               from gapless.lease_record k
               where k.series_id = l.series_id and k.turn = coalesce(l.head_turn, l.turn)
                 and k.ordinal = coalesce(l.head_ordinal, l.ordinal)
           ), l.issued_at),
           case when p.ordinal is null and p_serial >= p.first_serial then p.closed_reason end,
           l.reference_digest is not null, p.recalled_at is not null
    from place p
    left join lateral gapless.ledger_row_of(p_series_id, p.ordinal) l on true;
$$;
