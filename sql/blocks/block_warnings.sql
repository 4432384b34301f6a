-- block_warnings(p_series, p_firsts, p_lasts, p_valid_untils, p_issued_untils) -> what a person should check
-- before these blocks are loaded: place (of the block, from 1), code, detail in words
--
-- Refuses nothing. short-validity: less than 7 days; other-length, other-prefix: differs from all earlier
-- blocks of the series; other-size: at least 10 times larger or smaller than the latest; neighbour: touches a
-- block of another series in the number space; other-series: gapless.same_numbers; much-stock, for the last
-- block: gapless.much_stock. The prefix is what the numbers of all earlier blocks begin with: at most their
-- first half, and at least four characters, as shorter ones differ from block to block. Withdrawn blocks do
-- not count as earlier. At most 20 rows, with the first of each code. Raises GL005 unknown-series.
create or replace function gapless.block_warnings(
    p_series text, p_firsts bigint[], p_lasts bigint[], p_valid_untils timestamptz[],
    p_issued_untils bigint[] default null
)
returns table (place integer, code text, detail text)
language plpgsql
stable
security definer
set search_path = pg_catalog, gapless, pg_temp -- btree_gist's operators for text live in gapless
set jit = off
set plan_cache_mode = force_generic_plan -- planning for each load takes longer than the query
as $$
#variable_conflict use_column
declare
    v_series  gapless.series;
    v_lowest  text;   -- the numbers with the lowest and the highest serial of all earlier blocks
    v_highest text;
    v_prefix  text := '';
    v_latest  bigint; -- how many numbers the latest block has
begin
    select * into v_series from gapless.series s where s.series_id = gapless.series_id_of(p_series);
    select gapless.format_number(v_series.program, min(lower(gapless.assigned_part(b)))),
           gapless.format_number(v_series.program, max(b.last_serial)),
           (array_agg(b.last_serial - lower(gapless.assigned_part(b)) + 1 order by b.block_id desc))[1]
    into v_lowest, v_highest, v_latest
    from gapless.block b
    where b.series_id = v_series.series_id and b.state <> 'withdrawn';
    if length(v_lowest) = length(v_highest) then
        select coalesce(max(left(v_lowest, n)), '') into v_prefix
        from generate_series(4, length(v_lowest) / 2) as n
        where left(v_lowest, n) = left(v_highest, n);
    end if;

    return query
        with found as (
            select n.place::integer, k.rank, k.code, k.detail
            from unnest(p_firsts, p_lasts, p_valid_untils)
                with ordinality as n (first, last, valid_until, place)
            cross join lateral (
                select gapless.format_number(v_series.program, n.first) as first,
                       gapless.format_number(v_series.program, n.last) as last,
                       n.last::numeric - n.first + 1 as size
            ) t
            cross join lateral (
                select 1 as rank, 'short-validity' as code,
                       format('block %s…%s is valid until %s, less than 7 days from now', t.first, t.last,
                           to_char(n.valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as detail
                where n.valid_until < now() + interval '7 days'
                union all
                select 2, 'other-length',
                       format('number %s has %s characters, those of all earlier blocks have %s, as %s',
                           case when length(t.first) = length(v_lowest) then t.last else t.first end,
                           length(case when length(t.first) = length(v_lowest) then t.last else t.first end),
                           length(v_lowest), v_lowest)
                where length(v_lowest) = length(v_highest)
                  and (length(t.first) <> length(v_lowest) or length(t.last) <> length(v_lowest))
                union all
                select 3, 'other-prefix',
                       format('number %s does not begin with %s, as those of all earlier blocks do',
                           case when starts_with(t.first, v_prefix) then t.last else t.first end, v_prefix)
                where v_prefix <> '' and length(t.first) = length(v_lowest)
                  and length(t.last) = length(v_lowest)
                  and not (starts_with(t.first, v_prefix) and starts_with(t.last, v_prefix))
                union all
                select 4, 'other-size',
                       format('block %s…%s has %s numbers, the latest one of the series has %s', t.first,
                           t.last, t.size, v_latest)
                where t.size >= 10 * v_latest::numeric or v_latest >= 10 * t.size
                union all
                select 5, 'neighbour',
                       format('block %s…%s touches %s', t.first, t.last,
                           gapless.block_words(o.block_id, o.name, o.first, o.last))
                from (
                    select b.block_id, s.name,
                           gapless.format_number(s.program, lower(gapless.assigned_part(b))) as first,
                           gapless.format_number(s.program, b.last_serial) as last
                    from gapless.block b
                    join gapless.series s using (series_id)
                    where b.space = v_series.space and b.state <> 'withdrawn'
                      and b.series_id <> v_series.series_id
                      and gapless.assigned_part(b)
                          && int8range(n.first - 1, least(n.last, 9223372036854775804) + 2)
                    order by b.first_serial
                    limit 1
                ) o
            ) k
            union all
            select o.place, 6, 'other-series', o.detail
            from gapless.same_numbers(v_series, p_firsts, p_lasts) o
            union all
            select cardinality(p_firsts), 7, 'much-stock', m.detail
            from (
                select gapless.much_stock(
                           v_series.series_id,
                           sum(n.last - coalesce(n.issued_until, n.first - 1::numeric))
                       ) as detail
                from unnest(p_firsts, p_lasts, p_issued_untils) as n (first, last, issued_until)
            ) m
            where m.detail is not null
        )
        select w.place, w.code, w.detail
        from (
            select f.place, f.rank, f.code, f.detail
            from (
                select f.*, row_number() over (partition by f.code order by f.place) as nth
                from found f
            ) f
            order by f.nth > 1, f.place, f.rank
            limit 20
        ) w
        order by w.place, w.rank;
end;
$$;
