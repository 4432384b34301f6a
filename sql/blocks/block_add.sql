-- block_add(p_series, p_firsts, p_lasts, p_issued_untils, p_references, p_valid_untils, p_actor) -> one
-- row per block, in order
--
-- Puts blocks at the end of the series' queue, all or none; element k of the arrays is block k. Serials up
-- to issued_until (null: none) were issued elsewhere. Numbers that were used up longer ago than the
-- series' reuse_after are loaded as a new cycle: the ledger keeps its rows of before, and they get new
-- ordinals. When a block overlaps a loaded one whose numbers may not be loaded again, nothing is loaded
-- and the only rows are those of the blocks that do (20 at most): without an id, with up to ten hits in
-- words. Raises GL013 block-overlap for overlaps among the new ones, GL017 out-of-range. A block whose
-- time is over is refused, unless the database is fenced: what left before a restore is loaded then.
-- Expects the space to be locked (gapless.lock_space). For gapless.block_load, block_load_many and
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
    v_arrived  bigint;
    v_wrong    record;
begin
    select n.* into v_wrong
    from unnest(p_firsts, p_lasts, p_issued_untils, p_valid_untils)
        with ordinality as n (first, last, issued_until, valid_until, place)
    where (0 <= n.first and n.first <= n.last and n.last <= 9223372036854775806) is not true
       or (n.first <= n.issued_until and n.issued_until < n.last) is false
       or n.valid_until <= now() and (select s.trouble from gapless.epoch_state() s) is null
    order by n.place
    limit 1;
    if v_wrong.valid_until <= now() then
        raise exception 'block %…% would be over before it begins: valid until % is not in the future',
            gapless.format_number(p_series.program, v_wrong.first),
            gapless.format_number(p_series.program, v_wrong.last),
            to_char(v_wrong.valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            using errcode = 'GL017';
    elsif v_wrong.first <= v_wrong.last and v_wrong.issued_until is not null then
        raise exception 'issued until % is no number of block %…% with another one after it',
            gapless.format_number(p_series.program, v_wrong.issued_until),
            gapless.format_number(p_series.program, v_wrong.first),
            gapless.format_number(p_series.program, v_wrong.last)
            using errcode = 'GL017';
    elsif v_wrong.place is not null then
        raise exception 'block %…% does not run upwards within 0…9223372036854775806', v_wrong.first,
            v_wrong.last
            using errcode = 'GL017';
    end if;
    if exists (
        select from (
            select n.first,
                   max(n.last) over (
                       order by n.first, n.last rows between unbounded preceding and 1 preceding
                   ) as last_before
            from unnest(p_firsts, p_lasts) as n (first, last)
        ) n
        where n.first <= n.last_before
    ) then
        raise exception 'two of the blocks share numbers' using errcode = 'GL013';
    end if;

    return query
        select n.place::integer, null::integer,
               string_agg(
                   format('block %s of series %L (%s…%s)', h.block_id, h.name, h.first, h.last), ', '
                       order by h.first_serial
               )
                   filter (where h.place <= 10)
               || coalesce(
                   '; it may be loaded again from '
                   || to_char(
                       nullif(max(coalesce(h.reuse_from, 'infinity')), 'infinity') at time zone 'UTC',
                       'YYYY-MM-DD"T"HH24:MI:SS"Z"'
                   )
                   || ' on',
                   ''
               )
        from unnest(p_firsts, p_lasts) with ordinality as n (first, last, place)
        cross join lateral gapless.overlapping_blocks(p_series.space, n.first, n.last) h
        where h.reuse_from > now() is not false
        group by n.place
        order by n.place
        limit 20;
    if found then
        return;
    end if;

    select coalesce(max(b.position), 0) into v_position
    from gapless.block b
    where b.series_id = p_series.series_id;
    return query
        with loaded as (
            insert into gapless.block (
                series_id, space, assigned_serial, first_serial, last_serial, position, cycle, reference,
                valid_until, loaded_by
            )
            select p_series.series_id, p_series.space,
                   case when n.issued_until is not null then n.first end,
                   coalesce(n.issued_until + 1, n.first), n.last, v_position + n.place,
                   (
                       select coalesce(max(h.cycle), 0) + 1
                       from gapless.overlapping_blocks(p_series.space, n.first, n.last) h
                   ),
                   n.reference, n.valid_until, p_actor
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
