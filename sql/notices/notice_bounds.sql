-- notice_bounds() -> one row: the lowest seq that can still be read, and the highest that was assigned
--
-- oldest: last + 1 if none can be read. last: 0 if none was assigned. A reader that has read up to some
-- number may continue from there if oldest - 1 <= number <= last; otherwise it has missed notices, or read
-- them from another database. Takes no lock.
create or replace function gapless.notice_bounds(out oldest bigint, out last bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select min(n.seq) from gapless.notice n where n.seq is not null), c.last_seq + 1),
           c.last_seq
    from gapless.notice_counter c;
$$;
