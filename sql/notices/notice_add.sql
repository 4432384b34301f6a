-- notice_add(p_kind, p_series_id, p_block_id, p_data) -> nothing; writes a notice in the transaction of
-- what happened
--
-- It gets its number after the COMMIT (gapless.notices_publish), and data of a block is completed then, so
-- that a rollover pays for one row and nothing else. Who reads is not woken here: NOTIFY takes a lock at
-- COMMIT that is one for the whole server. at is the moment of the call: within a series, whose counter is
-- locked, it does not run backwards.
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
        -- By its key: callers may have sequential scans off, and compile what looks that dear.
        (select e.name from gapless.environment e where e.only_row), p_data
    );
end;
$$;
