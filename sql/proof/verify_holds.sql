-- verify_holds(p_series_id, p_parts) -> findings about holds: each has exactly the numbers of its issuance,
-- in one of four sets, and expires as long after its issue as was requested
--
-- Compares sums of hashes; p_parts (gapless.verify_parts) has those for the ledger's turn 0. Only if they
-- differ does it compare hold by hold to find the wrong one.
create or replace function gapless.verify_holds(p_series_id integer, p_parts gapless.ledger_part[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- join sets, whatever the planner thinks of the tables' sizes
set work_mem = '64MB'
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
declare
    v_seed     bigint := coalesce(p_parts[1].seed, 0);
    v_numbers  numeric;
    v_promised numeric;
    v_sums     record;
begin
    select coalesce(sum(p.held), 0), coalesce(sum(p.promised), 0) into v_numbers, v_promised
    from unnest(p_parts) p;
    -- Most series hold nothing. Planning the sums takes longer than all other checks of such a series.
    if v_numbers = 0 and v_promised = 0
       and not exists (select from gapless.hold h where h.series_id = p_series_id)
       and not exists (
           select from gapless.ledger l
           where l.series_id = p_series_id and l.turn > 0 and l.hold_seconds is not null
       )
    then
        return '[]';
    end if;
    select * into v_sums from gapless.hold_sums(p_series_id, v_seed);
    if v_sums.numbers = v_numbers + v_sums.numbers_again
       and v_sums.promised = v_promised + v_sums.promised_again
    then
        return '[]';
    end if;
    return (
        with issued as (
            select coalesce(l.head_turn, l.turn) as turn, coalesce(l.head_ordinal, l.ordinal) as ordinal,
                   bool_or(l.key is not null) as begun,
                   range_agg(int8range(l.ordinal, l.ordinal + l.count)) as numbers,
                   max(
                       gapless.hold_end(l.issued_at, l.hold_seconds)
                   ) filter (where l.key is not null) as expires_at
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn >= 0 and l.hold_seconds is not null
            group by 1, 2
        ), wrong as (
            select ordinal, case
                   when h.series_id is null then 'a hold was issued there, its record is gone'
                   when i.begun is not true then 'a hold is recorded there, but none was issued'
                   when h.expires_at <> i.expires_at then 'the hold there does not expire when it should'
                   when h.held + h.confirmed + h.released + h.expired <> i.numbers
                        or gapless.size_of(h.held) + gapless.size_of(
                            h.confirmed
                        ) + gapless.size_of(h.released) + gapless.size_of(h.expired)
                           <> gapless.size_of(i.numbers)
                       then 'the hold there does not account for its numbers'
                   end as what
            from issued i
            full join (select * from gapless.hold h where h.series_id = p_series_id) h using (turn, ordinal)
        )
        select coalesce(
            jsonb_agg(gapless.finding(format('ordinal %s', w.ordinal), w.what) order by w.ordinal), '[]'
        )
        from (select * from wrong where what is not null order by ordinal limit 10) w
    );
end;
$$;
