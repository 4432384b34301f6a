-- block_load(p_series, p_first, p_last, p_count, p_reference, p_valid_until, p_actor, p_issued_until) ->
-- block id
--
-- Puts a block at the end of the series' queue (gapless.block_add). p_count (null: not stated) is the
-- carrier's count of its numbers, both ends included. Serials up to p_issued_until (null: none) were issued
-- elsewhere. Raises GL005 unknown-series, GL013 block-overlap (the message names up to ten overlapping
-- blocks, including exhausted and closed ones), GL017 out-of-range. Needs scope load (GL003, GL004:
-- gapless.require_scope), and a carrier whose blocks one person may load (GL004: gapless.proposal_make).
-- Writes one audit row. Locks the space against other loads, but does not block issuing: a request that opens
-- a block takes a key share lock on its series.
create or replace function gapless.block_load(
    p_series text, p_first bigint, p_last bigint, p_count numeric, p_reference text,
    p_valid_until timestamptz, p_actor text, p_issued_until bigint default null
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
begin
    p_actor := gapless.require_scope('load', p_series, p_actor);
    v_series := gapless.lock_space(p_series);
    perform gapless.refuse_one_person(v_series.space);
    if p_count <> p_last::numeric - p_first + 1 and p_first <= p_last then
        raise exception 'block %…% holds % numbers, both ends included, not %',
            gapless.format_number(v_series.program, p_first), gapless.format_number(v_series.program, p_last),
            p_last::numeric - p_first + 1, p_count
            using errcode = 'GL017';
    end if;
    select a.block_id, a.hits into strict v_block_id, v_hits
    from gapless.block_add(
        p_series => v_series, p_firsts => array[p_first], p_lasts => array[p_last],
        p_issued_untils => array[p_issued_until], p_references => array[p_reference],
        p_valid_untils => array[p_valid_until], p_actor => p_actor
    ) a;
    if v_hits is not null then
        raise exception 'block %…% overlaps %',
            gapless.format_number(v_series.program, p_first), gapless.format_number(v_series.program, p_last),
            v_hits
            using errcode = 'GL013';
    end if;

    perform gapless.audit(
        p_actor => p_actor, p_action => 'block.load', p_subject => format('%s/%s', p_series, v_block_id),
        p_before => null,
        p_after => jsonb_build_object('first', p_first::text, 'last', p_last::text, 'reference', p_reference,
                           'valid_until', p_valid_until, 'issued_until', p_issued_until::text)
    );
    return v_block_id;
end;
$$;
