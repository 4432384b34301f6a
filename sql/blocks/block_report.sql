-- block_report(p_series, p_block_id, p_after, p_limit) -> one row per block, by series and position; null for
-- all
--
-- Of one series also those behind a position, so many at most: a page costs what it shows.
-- first and last: as the carrier assigned them, with count numbers; elsewhere: how many of them, from first
-- on, another system issued. issued, remaining, next and state are those of gapless.used_part. Takes no lock.
create or replace function gapless.block_report(
    p_series text default null, p_block_id integer default null, p_after bigint default null,
    p_limit bigint default null
)
returns table (
    block_id integer, series text, first bigint, last bigint, count bigint, elsewhere bigint, issued bigint,
    remaining bigint, next bigint, state text, reference text, valid_until timestamptz, "position" integer,
    first_ordinal bigint, cycle integer, closed_reason text, recalled_at timestamptz, loaded_by text,
    loaded_at timestamptz
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- planning takes longer than reading one block
as $$
begin
    return query
        select b.block_id, k.name, a.first, b.last_serial, b.last_serial - a.first + 1,
               b.first_serial - a.first, u.next_serial - b.first_serial,
               case when b.state in ('closed', 'withdrawn') then 0 else b.last_serial - u.next_serial + 1 end,
               case when u.state in ('queued', 'open') then u.next_serial end,
               u.state, b.reference, b.valid_until, b.position, b.first_ordinal, b.cycle, b.closed_reason,
               b.recalled_at, b.loaded_by, b.loaded_at
        from (
            -- Each branch uses its own index, and those that do not apply read nothing: one block among years
            -- of them is found by its id, and those of a series read it once.
            select b, s.name, c.next_serial
            from gapless.block b
            join gapless.series s using (series_id)
            join gapless.counter c using (series_id)
            where p_series is null and p_block_id is null
            union all
            select b, s.name, c.next_serial
            from gapless.block b
            join gapless.series s using (series_id)
            join gapless.counter c using (series_id)
            where b.block_id = p_block_id and (p_series is null or s.name = p_series)
            union all
            select o.b, s.name, c.next_serial
            from gapless.series s
            join gapless.counter c using (series_id)
            cross join lateral (
                select b
                from gapless.block b
                where b.series_id = s.series_id and b.position > coalesce(p_after, 0)
                order by b.position
                limit p_limit
            ) o
            where p_block_id is null and s.name = p_series
        ) k (block, name, next_serial)
        cross join lateral (select (k.block).*) b
        cross join lateral gapless.used_part(k.block, k.next_serial) u
        cross join lateral (select lower(gapless.assigned_part(k.block))) a (first)
        order by k.name, b.position;
end;
$$;
