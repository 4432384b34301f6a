-- issue_across_blocks(p_series_id, p_count, p_owner_id, p_key, p_reference, p_contiguous) -> the ranges, or one row with a refusal
--
-- Issues one request that the open block alone cannot serve, or that must not be split: takes what is left of the
-- open block, then goes on in the next queued blocks, as many as it needs (rollover). All or nothing: what is
-- needed is found first, then taken.
--
-- outcome: null, or GL009 series-exhausted, GL010 not-contiguous; then nothing was changed and detail says what is
-- missing. Expects the series' counter row to be locked by gapless.issue_requests.
create or replace function gapless.issue_across_blocks(
    p_series_id  integer,
    p_count      integer,
    p_owner_id   integer,
    p_key        uuid,
    p_reference  text,
    p_contiguous boolean
)
returns table (outcome text, turn smallint, ordinal bigint, serial bigint, count integer, block_id integer, detail text)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_counter  gapless.counter;
    v_piece    record;
    v_left     bigint := p_count;
    v_blocks   integer[] := '{}';
    v_counts   integer[] := '{}';
    v_ordinals bigint[] := '{}';
    v_head     bigint;
    v_serial   bigint;
    v_name     text;
begin
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    v_head := v_counter.next_ordinal;

    for v_piece in
        select v_counter.block_id as block_id, v_counter.last_serial - v_counter.next_serial + 1 as room
        where v_counter.next_serial <= v_counter.last_serial
        union all
        (select b.block_id, b.last_serial - b.first_serial + 1
         from gapless.block b
         where b.series_id = p_series_id and b.state = 'queued'
         order by b.position)
    loop
        exit when v_left = 0;
        v_blocks := v_blocks || v_piece.block_id;
        v_counts := v_counts || least(v_left, v_piece.room)::integer;
        v_ordinals := v_ordinals || v_head + p_count - v_left;
        v_left := v_left - least(v_left, v_piece.room);
    end loop;

    if v_left > 0 or (p_contiguous and cardinality(v_blocks) > 1) then
        select s.name into v_name from gapless.series s where s.series_id = p_series_id;
    end if;
    if v_left > 0 then
        outcome := 'GL009';
        detail := format('series %L has %s numbers left, %s were asked for; load the next block with: gapless block load %s FIRST LAST',
                         v_name, p_count - v_left, p_count, v_name);
        return next;
        return;
    end if;
    if p_contiguous and cardinality(v_blocks) > 1 then
        outcome := 'GL010';
        detail := format('series %L has %s numbers left in its open block, %s were asked for in one piece; ask without contiguous, or for fewer',
                         v_name, v_counts[1], p_count);
        return next;
        return;
    end if;

    for i in 1 .. cardinality(v_blocks) loop
        if v_blocks[i] is distinct from v_counter.block_id then
            perform gapless.open_block(p_series_id, v_blocks[i]);
        end if;
        select c.next_serial into v_serial from gapless.counter c where c.series_id = p_series_id;

        insert into gapless.ledger (
            series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference, head_ordinal, head_turn
        )
        values (
            p_series_id, v_counts[i], v_ordinals[i], v_serial, case when i = 1 then p_key end, now(), v_blocks[i],
            p_owner_id, v_counter.epoch, p_reference, case when i > 1 then v_head end, case when i > 1 then 0 end
        );
        return query select null::text, 0::smallint, v_ordinals[i], v_serial, v_counts[i], v_blocks[i], null::text;
    end loop;

    if p_contiguous or cardinality(v_blocks) > 1 then
        insert into gapless.issuance (series_id, turn, ordinal, count, contiguous, range_turns, range_ordinals)
        values (p_series_id, 0, v_head, p_count, p_contiguous, array_fill(0::smallint, array[cardinality(v_blocks)]), v_ordinals);
    end if;
end;
$$;
