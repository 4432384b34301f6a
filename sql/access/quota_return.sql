-- quota_return(p_token_id, p_day_number, p_count) -> nothing
--
-- Puts back what quota_reserve had set aside and nobody took. Days are counted from 1970-01-01. Locks the row
-- of token and day.
create or replace function gapless.quota_return(p_token_id integer, p_day_number integer, p_count bigint)
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
    select set_config('synchronous_commit', 'local', true); -- as when it was reserved
    update gapless.token_quota q set reserved = q.reserved - p_count
    where q.token_id = p_token_id and q.day = date '1970-01-01' + p_day_number;
$$;
