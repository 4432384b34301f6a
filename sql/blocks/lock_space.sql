-- lock_space(p_series) -> the series; locks its whole number space against other loads
--
-- Without it, two loads into one space could miss each other's blocks if their cycles differ; the constraint
-- only covers blocks of one cycle. At READ COMMITTED alone, where every statement sees what the one before
-- in the queue has committed: raises 25001 above it. A load may take minutes, and a serializable one would
-- abort acts of other series, and use up the server's room for predicate locks. Raises GL005 unknown-series.
-- Takes an advisory lock, so that a load costs the same however many series the space has, then locks the row
-- of this series, so that nobody moves its blocks meanwhile. Does not block issuing.
create or replace function gapless.lock_space(p_series text) returns gapless.series
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series gapless.series;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'blocks are loaded at read committed, not %', current_setting('transaction_isolation')
            using errcode = 'active_sql_transaction';
    end if;
    select * into v_series from gapless.series s where s.name = p_series;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_series)
            using errcode = 'GL005';
    end if;
    perform pg_advisory_xact_lock(28268, hashtext(v_series.space)); -- "nl" in ASCII
    perform from gapless.series s where s.series_id = v_series.series_id for no key update;
    return v_series;
end;
$$;
