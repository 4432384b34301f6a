-- issue(series, count, key, reference) -> the numbers in order, each with its ordinal
-- issue(series, count, key uuid, reference): the same
-- issue(series, key uuid): one number
--
-- Takes the next numbers of a series inside the caller's own transaction: a rollback returns them. A repeated
-- key issues nothing and returns the first answer, or raises GL022 once any of these numbers was released,
-- expired, reused or voided; keys are scoped by database role. Without a key every call issues new numbers.
-- Works at any isolation level; above READ COMMITTED a concurrent issue of the same series raises 40001:
-- retry it.
--
-- Raises, with the SQLSTATEs of sql_states(): GL001 malformed-request (the key), GL005 unknown-series, GL009
-- series-exhausted, GL011 series-paused, GL016 idempotency-key-reused, GL017 out-of-range, GL020 unsafe
-- session, GL022 issuance-settled. Locks the series until the caller's COMMIT: keep that transaction short.
create or replace function gapless.issue(
    series text, count bigint default 1, key text default null, reference text default null
)
returns table (number text, ordinal bigint)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
    select gapless.format_number(s.program, r.serial + n.n), r.ordinal + n.n
    from gapless.issue_ranges(
        p_series => $1, p_count => $2, p_key => $3, p_reference => $4, p_whole => true
    ) r
    join gapless.series s on s.series_id = r.series_id
    cross join lateral generate_series(0::bigint, r.count - 1) as n (n);
$$;

-- Neither overload accepts three untyped values for series, count and key: many drivers send $1, $2, $3
-- untyped, and only the first function may match them.
create or replace function gapless.issue(series text, count bigint, key uuid, reference text default null)
returns table (number text, ordinal bigint)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
    select i.number, i.ordinal from gapless.issue($1, $2, $3::text, $4) i;
$$;

create or replace function gapless.issue(series text, key uuid)
returns table (number text, ordinal bigint)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
    select i.number, i.ordinal from gapless.issue($1, 1, $2::text) i;
$$;
