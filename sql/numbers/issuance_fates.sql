-- issuance_fates(p_series_id, p_turn, p_ordinal) -> the numbers of the issuance that begins there, in order,
-- as runs with the same fate
--
-- fate: issued, held and confirmed numbers still belong to it; released, expired, voided and reused ones are
-- gone, whatever became of them since. A held number expires by the database's clock, swept or not, but is
-- voided if its block was recalled before. Reused: issued again in a later cycle (gapless.reused_part). No
-- row if no issuance begins there. Takes no lock.
create or replace function gapless.issuance_fates(p_series_id integer, p_turn integer, p_ordinal bigint)
returns table (turn integer, ordinal bigint, serial bigint, count integer, block_id integer, fate text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_hold gapless.hold;
    v_own  int8multirange; -- what a hold still has
    v_over int8multirange; -- held, but expired
begin
    select * into v_hold
    from gapless.hold h
    where h.series_id = p_series_id and h.turn = p_turn and h.ordinal = p_ordinal;
    v_over := case
              when v_hold.expires_at <= gapless.believed_moment(clock_timestamp()) then v_hold.held
              else '{}'
              end;
    v_own := v_hold.held - v_over + v_hold.confirmed;
    return query
        select r.turn, lower(n.run), r.serial + (lower(n.run) - r.ordinal),
               (upper(n.run) - lower(n.run))::integer, r.block_id, f.fate
        from gapless.issuance_ranges(p_series_id, p_turn, p_ordinal) with ordinality
            as r (turn, ordinal, serial, count, block_id, place)
        cross join lateral (
            select int8multirange(int8range(r.ordinal, r.ordinal + r.count)) as numbers
        ) a
        cross join lateral (
            select coalesce(range_agg(s.numbers * a.numbers), '{}') as voided
            from gapless.number_state s
            where s.series_id = p_series_id and s.state = 'voided'
              and s.chunk between gapless.chunk_of(r.ordinal) and gapless.chunk_of(r.ordinal + r.count - 1)
        ) v
        cross join lateral (
            select case when exists (
                       select
                       from gapless.block b
                       where b.series_id = p_series_id and b.block_id = r.block_id
                         and b.recalled_at < v_hold.expires_at
                   ) then v_hold.expired * a.numbers else '{}' end as recalled
        ) e
        cross join lateral (
            select coalesce(range_agg(u.ordinals), '{}') as reused
            from gapless.reused_part(p_series_id, r.block_id, r.ordinal, r.serial, r.count) u
        ) u
        cross join lateral (
            values ('issued', case when v_own is null then a.numbers - v.voided - u.reused end),
                   ('held', (v_own - v_hold.confirmed) * a.numbers - v.voided),
                   ('confirmed', v_hold.confirmed * a.numbers - v.voided - u.reused),
                   ('reused', coalesce(v_hold.confirmed, a.numbers) * u.reused - v.voided),
                   ('released', v_hold.released * a.numbers),
                   ('expired', (v_hold.expired + v_over) * a.numbers - e.recalled),
                   ('voided', coalesce(v_own, a.numbers) * v.voided + e.recalled)
        ) f (fate, numbers)
        cross join lateral unnest(f.numbers) as n (run)
        order by r.place, lower(n.run);
end;
$$;
