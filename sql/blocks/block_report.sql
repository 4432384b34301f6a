-- block_report(p_series, p_block_id) -> one row per block, by series and position; null for all
--
-- first and last: as the carrier assigned them, with count numbers; elsewhere: how many of them, from first
-- on, another system issued. issued, remaining, next and state are those of gapless.used_part. Takes no lock.
create or replace function gapless.block_report(p_series text default null, p_block_id integer default null)
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
        select b.block_id, s.name, a.first, b.last_serial, b.last_serial - a.first + 1,
               b.first_serial - a.first, u.next_serial - b.first_serial,
               case when b.state in ('closed', 'withdrawn') then 0 else b.last_serial - u.next_serial + 1 end,
               case when u.state in ('queued', 'open') then u.next_serial end,
               u.state, b.reference, b.valid_until, b.position, b.first_ordinal, b.cycle, b.closed_reason,
               b.recalled_at, b.loaded_by, b.loaded_at
        from (
            -- Each branch uses its own index, and those that do not apply read nothing: one block among years
            -- of them is found by its id.
            select b from gapless.block b where p_series is null and p_block_id is null
            union all
            select b from gapless.block b where b.block_id = p_block_id
            union all
            select b
            from gapless.block b
            where p_block_id is null
              and b.series_id = (select s.series_id from gapless.series s where s.name = p_series)
        ) k (block)
        cross join lateral (select (k.block).*) b
        -- offset 0: look up per block, so that one block does not cost a scan of all series
        cross join lateral (
            select s.name from gapless.series s where s.series_id = b.series_id offset 0
        ) s
        cross join lateral (
            select c.next_serial from gapless.counter c where c.series_id = b.series_id offset 0
        ) c
        cross join lateral gapless.used_part(k.block, c.next_serial) u
        cross join lateral (select lower(gapless.assigned_part(k.block))) a (first)
        where p_series is null or s.name = p_series
        order by s.name, b.position;
end;
$$;
