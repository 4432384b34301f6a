-- notice_of_block() -> trigger on gapless.block, once per UPDATE statement: inserts the notices of blocks
-- that open, end early or are recalled
--
-- One per change, in its transaction. None for a block that is used up: a rollover pays for one row only
-- (block.opened), and gapless.notices_find finds used-up blocks. Withdrawing a block ends it, which is one
-- notice; recalling a queued or open block ends it, too, which makes two.
create or replace function gapless.notice_of_block() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into gapless.notice (kind, series_id, block_id, epoch, environment)
    select k.kind, n.series_id, n.block_id, (select max(e.epoch) from gapless.epoch e),
           (select e.name from gapless.environment e where e.only_row)
    from before o
    join after n using (block_id)
    cross join lateral (
        values (
            case
            when n.state = o.state or n.state not in ('open', 'closed') then null
            when n.state = 'open' then 'block.opened'
            when n.closed_reason = 'expired' and n.valid_until <= clock_timestamp() then 'block.expired'
            else 'block.closed'
            end
        ), (
            case when o.recalled_at is null and n.recalled_at is not null then 'block.recalled' end
        )
    ) k (kind)
    where k.kind is not null
    order by n.series_id, n.position, k.kind; -- closed before recalled
    return null;
end;
$$;

create or replace trigger block_changes_are_noticed
    after update on gapless.block
    referencing old table as before new table as after
    for each statement execute function gapless.notice_of_block();
