-- plain_room(p_series_id) -> how many numbers the open block has for plain requests; 0 while numbers that came back go first
--
-- Not in language sql: that would be planned anew in each call.
create or replace function gapless.plain_room(p_series_id integer) returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select case when c.waiting > 0 then 0 else coalesce(c.last_serial - c.next_serial + 1, 0) end
        from gapless.counter c
        where c.series_id = p_series_id
    );
end;
$$;
