-- quota_return(p_token_id, p_day_number, p_count) -> nothing
--
-- Returns numbers that quota_reserve granted and nobody used. Days are counted from 1970-01-01. Locks the row
-- of token and day.
create or replace function gapless.quota_return(p_token_id integer, p_day_number integer, p_count bigint)
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
    select set_config('synchronous_commit', 'local', true); -- as in quota_reserve
    update gapless.token_quota q set reserved = q.reserved - p_count
    where q.token_id = p_token_id and q.day = date '1970-01-01' + p_day_number;
$$;
