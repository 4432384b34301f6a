-- key_reused(p_spent_at, p_differs) -> the message of GL016: the key was spent on another request
--
-- p_differs: what differs, by the names that clients know (series, count, reference, hold, contiguous; path,
-- body); null: not known.
create or replace function gapless.key_reused(p_spent_at timestamptz, p_differs text default null)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select 'the key was spent on another request at '
        || to_char(p_spent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        || coalesce(', which differs in: ' || p_differs, '') || '; use a new key for a new request';
$$;
