-- block_load(p_series, p_first, p_last, p_count, p_reference, p_valid_until, p_actor) -> block id
--
-- Puts a block at the end of the series' queue. p_count (null: not stated) is what the carrier says it holds, both
-- ends included. Numbers that were used up longer ago than the series' reuse_after are loaded as a new cycle: the
-- ledger keeps its rows of before, and they get new ordinals. Raises GL005 unknown-series, GL013 block-overlap (the message names up to
-- ten blocks it hits, also exhausted and closed ones), GL017 out-of-range. Needs scope load (GL003, GL004:
-- gapless.require_scope). Writes one audit row. Locks the series of the space against other loads, not against issuing: a request
-- that opens a block holds a key share lock on its series.
create or replace function gapless.block_load(
    p_series text, p_first bigint, p_last bigint, p_count numeric, p_reference text, p_valid_until timestamptz,
    p_actor text
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series   gapless.series;
    v_block_id integer;
    v_hits     text;
    v_cycle    integer;
    v_from     timestamptz; -- when all of them may be loaded again; infinity: never
begin
    p_actor := gapless.require_scope('load', p_series, p_actor);
    v_series := gapless.lock_space(p_series);
    if (0 <= p_first and p_first <= p_last and p_last <= 9223372036854775806) is not true then
        raise exception 'block %…% does not run upwards within 0…9223372036854775806', p_first, p_last
            using errcode = 'GL017';
    end if;
    if p_count <> p_last::numeric - p_first + 1 then
        raise exception 'block %…% holds % numbers, both ends included, not %',
            p_first, p_last, p_last::numeric - p_first + 1, p_count
            using errcode = 'GL017';
    end if;

    select string_agg(format('block %s of series %L (%s…%s)', h.block_id, h.name, h.first, h.last), ', ' order by h.first_serial)
               filter (where h.place <= 10 and h.reuse_from > now() is not false),
           coalesce(max(h.cycle), 0) + 1, max(coalesce(h.reuse_from, 'infinity'))
    into v_hits, v_cycle, v_from
    from gapless.overlapping_blocks(v_series.space, p_first, p_last) h;
    if v_from > now() then
        if v_from < 'infinity' then
            v_hits := v_hits || '; it may be loaded again from '
                      || to_char(v_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' on';
        end if;
        raise exception 'block %…% overlaps %',
            gapless.format_number(v_series.program, p_first), gapless.format_number(v_series.program, p_last), v_hits
            using errcode = 'GL013';
    end if;

    insert into gapless.block (series_id, space, first_serial, last_serial, position, cycle, reference, valid_until, loaded_by)
    select v_series.series_id, v_series.space, p_first, p_last, coalesce(max(b.position), 0) + 1, v_cycle,
           p_reference, p_valid_until, p_actor
    from gapless.block b
    where b.series_id = v_series.series_id
    returning block_id into v_block_id;
    perform gapless.expect_rows((v_block_id is not null)::integer, 1, 'block');

    perform gapless.audit(
        p_actor, 'block.load', format('%s/%s', p_series, v_block_id), null,
        jsonb_build_object('first', p_first::text, 'last', p_last::text, 'reference', p_reference,
                           'valid_until', p_valid_until)
    );
    return v_block_id;
exception
    when exclusion_violation then -- loaded by somebody else since we looked
        raise exception 'block %…% overlaps a block of space % that was loaded at this moment',
            gapless.format_number(v_series.program, p_first), gapless.format_number(v_series.program, p_last), quote_literal(v_series.space)
            using errcode = 'GL013';
end;
$$;
