-- block_report(p_series, p_block_id) -> one row per block, by series and position; null for all
--
-- first and last as the carrier assigned them, count of both; elsewhere: how many of them, from first on,
-- another system issued. issued, remaining, next and state are those of gapless.used_part. Takes no lock.
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
set plan_cache_mode = force_custom_plan -- one block of years of them is found by its id
as $$
begin
    return query
        select b.block_id, s.name, a.first, b.last_serial, b.last_serial - a.first + 1,
               b.first_serial - a.first, u.next_serial - b.first_serial,
               case when b.state in ('closed', 'withdrawn') then 0 else b.last_serial - u.next_serial + 1 end,
               case when u.state in ('queued', 'open') then u.next_serial end,
               u.state, b.reference, b.valid_until, b.position, b.first_ordinal, b.cycle, b.closed_reason,
               b.recalled_at, b.loaded_by, b.loaded_at
        from gapless.block b
        join gapless.series s using (series_id)
        join gapless.counter c using (series_id)
        cross join lateral gapless.used_part(b, c.next_serial) u
        cross join lateral (select lower(gapless.assigned_part(b))) a (first)
        where (p_series is null or s.name = p_series) and (p_block_id is null or b.block_id = p_block_id)
        order by s.name, b.position;
end;
$$;
