-- consumption_read(p_series_id, p_from, p_to, p_ordinal) -> one row per day, both ends included, as the
-- ledger has it
--
-- p_ordinal: the first issued on p_from or later; null: look it up. Each day costs one binary search of the
-- ledger (gapless.ordinal_at), however many numbers it has.
create or replace function gapless.consumption_read(
    p_series_id integer, p_from date, p_to date, p_ordinal bigint
)
returns table (day date, numbers bigint, next_ordinal bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_ordinal bigint := coalesce(p_ordinal, gapless.ordinal_at(p_series_id, gapless.day_begins(p_from)));
begin
    for n in 0 .. p_to - p_from loop
        day := p_from + n;
        next_ordinal := gapless.ordinal_at(p_series_id, gapless.day_begins(day + 1));
        -- Numbers of a transaction that was still issuing when its day was gathered count for the next day.
        numbers := next_ordinal - v_ordinal;
        v_ordinal := next_ordinal;
        return next;
    end loop;
end;
$$;
