-- block_add(p_series, p_firsts, p_lasts, p_issued_untils, p_references, p_valid_untils, p_actor) -> one
-- row per block, in order
--
-- Puts blocks at the end of the series' queue, all or none; element k of the arrays is block k. Serials up to
-- issued_until (null: none) were issued elsewhere. Numbers used up longer ago than the series' reuse_after
-- are loaded as a new cycle: the ledger keeps its earlier rows, and the numbers get new ordinals. Raises what
-- gapless.block_check raises; if that returns rows, loads nothing and returns only them, without an id. The
-- caller must have locked the space (gapless.lock_space). For gapless.block_load, block_load_many and
-- proposal_confirm.
create or replace function gapless.block_add(
    p_series gapless.series, p_firsts bigint[], p_lasts bigint[], p_issued_untils bigint[],
    p_references text[], p_valid_untils timestamptz[], p_actor text
)
returns table (place integer, block_id integer, hits text)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_position integer;
    v_taken    int8multirange;
    v_arrived  bigint;
begin
    return query
        select k.place, null::integer, k.hits
        from gapless.block_check(p_series, p_firsts, p_lasts, p_issued_untils, p_valid_untils) k;
    if found then
        return;
    end if;

    select coalesce(max(b.position), 0) into v_position
    from gapless.block b
    where b.series_id = p_series.series_id;
    v_taken := gapless.taken_serials(p_series.space, p_firsts, p_lasts);
    return query
        with loaded as (
            insert into gapless.block (
                series_id, space, assigned_serial, first_serial, last_serial, position, cycle, reference,
                valid_until, loaded_by
            )
            select p_series.series_id, p_series.space,
                   case when n.issued_until is not null then n.first end,
                   coalesce(n.issued_until + 1, n.first), n.last, v_position + n.place,
                   gapless.next_cycle(p_series.space, n.first, n.last, v_taken), n.reference, n.valid_until,
                   p_actor
            from unnest(p_firsts, p_lasts, p_issued_untils, p_references, p_valid_untils)
                with ordinality as n (first, last, issued_until, reference, valid_until, place)
            order by n.place
            returning block.block_id, block.position
        )
        select l.position - v_position, l.block_id, null::text from loaded l order by l.position;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, cardinality(p_firsts), 'block');
exception
    when exclusion_violation then
        raise exception 'a block overlaps another one of space % that was loaded at this moment',
            quote_literal(p_series.space)
            using errcode = 'GL013';
end;
$$;
