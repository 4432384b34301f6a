-- block_check(p_series, p_firsts, p_lasts, p_issued_untils, p_valid_untils) -> the new blocks (20 at most)
-- that overlap loaded ones whose numbers may not be loaded again: place (from 1), up to ten hits in words.
-- Overlapping is: the same serials in the space, or the same printed numbers. Where only serials are the
-- same, hits say what to do: the series needs a space of its own.
--
-- Checks whether blocks can be loaded; changes nothing. Raises GL013 block-overlap for overlaps among the new
-- ones, GL017 out-of-range. Refuses an expired block (GL017), unless the database is fenced: blocks used
-- before a restore may have to be loaded then. For gapless.block_add, block_preview and proposal_make.
create or replace function gapless.block_check(
    p_series gapless.series, p_firsts bigint[], p_lasts bigint[], p_issued_untils bigint[],
    p_valid_untils timestamptz[]
)
returns table (place integer, hits text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- planning for each load takes longer than the query
as $$
#variable_conflict use_column
declare
    v_wrong record;
    v_taken int8multirange;
begin
    select n.* into v_wrong
    from unnest(p_firsts, p_lasts, p_issued_untils, p_valid_untils)
        with ordinality as n (first, last, issued_until, valid_until, place)
    where (0 <= n.first and n.first <= n.last and n.last <= 9223372036854775806) is not true
       or (n.first <= n.issued_until and n.issued_until < n.last) is false
       -- "is true": with null, epoch_state would be read for blocks that never expire, too.
       or (n.valid_until <= now()) is true and (select s.trouble from gapless.epoch_state() s) is null
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

    v_taken := gapless.taken_serials(p_series.space, p_firsts, p_lasts);
    return query
        select n.place::integer,
               string_agg(
                   gapless.block_words(h.block_id, h.name, h.first, h.last), ', ' order by h.first_serial
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
               || case
                  when bool_and(h.program <> p_series.program and not gapless.prints_same(
                           p_series.program, n.first, n.last, h.program, h.first_serial, h.last_serial))
                      then '; the numbers differ, but a number space takes each serial once: create a series '
                           'with a --space of its own'
                  else ''
                  end
        from unnest(p_firsts, p_lasts) with ordinality as n (first, last, place)
        cross join lateral (
            select o.block_id, o.name, o.first_serial, o.first, o.last, o.reuse_from, o.place, o.last_serial,
                   s.program
            from (select where int8range(n.first, n.last, '[]') && v_taken offset 0) t
            cross join gapless.overlapping_blocks(p_series.space, n.first, n.last) o
            join gapless.series s on s.name = o.name
            where o.reuse_from > now() is not false
            union all
            select a.*, null, 1, null, p_series.program
            from (
                select from gapless.series s
                where s.space = p_series.space and s.program <> p_series.program
                limit 1
            ) t
            cross join gapless.blocks_printed_alike(p_series, n.first, n.last) a
        ) h
        group by n.place
        order by n.place
        limit 20;
end;
$$;
