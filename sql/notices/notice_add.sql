-- notice_add(p_kind, p_series_id, p_block_id, p_data) -> nothing; inserts a notice in the transaction of what
-- happened
--
-- gapless.notices_publish numbers it after COMMIT and then completes the data of a block, so that a rollover
-- pays for one row and nothing else. Readers are not woken here: at COMMIT, NOTIFY takes a lock that the
-- whole server shares. at is the moment of the call: within a series, whose counter is locked, it never runs
-- backwards.
create or replace function gapless.notice_add(
    p_kind text, p_series_id integer, p_block_id integer default null, p_data jsonb default '{}'
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into gapless.notice (kind, series_id, block_id, epoch, environment, data) values (
        p_kind, p_series_id, p_block_id, (select max(e.epoch) from gapless.epoch e),
        -- By its key: with sequential scans off, a scan would look so expensive that JIT compiles it.
        (select e.name from gapless.environment e where e.only_row), p_data
    );
end;
$$;
