-- sql_states() -> every SQLSTATE that gapless raises, with the name it has in problem documents
create or replace function gapless.sql_states() returns table (sqlstate text, problem text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    values ('GL001', 'malformed-request'),
           ('GL003', 'unauthenticated'),
           ('GL004', 'forbidden'),
           ('GL005', 'unknown-series'),
           ('GL006', 'unknown-number'),
           ('GL007', 'unknown-issuance'),
           ('GL008', 'not-found'),
           ('GL009', 'series-exhausted'),
           ('GL010', 'not-contiguous'),
           ('GL011', 'series-paused'),
           ('GL012', 'hold-expired'),
           ('GL013', 'block-overlap'),
           ('GL014', 'state-conflict'),
           ('GL015', 'precondition-failed'),
           ('GL016', 'idempotency-key-reused'),
           ('GL017', 'out-of-range'),
           ('GL018', 'on-lease'),
           ('GL019', 'fenced'),
           ('GL020', 'database-unavailable'),
           ('GL021', 'overloaded'),
           ('GL022', 'issuance-settled');
$$;
