-- run_room(p_series_id) -> how many numbers a run of requests may take (gapless.issue_run): the free ones
-- while there are any, else those of the open block
--
-- Not in language sql, which would plan it again in each call.
create or replace function gapless.run_room(p_series_id integer) returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select case when c.waiting > 0 then c.waiting else coalesce(c.last_serial - c.next_serial + 1, 0) end
        from gapless.counter c
        where c.series_id = p_series_id
    );
end;
$$;
