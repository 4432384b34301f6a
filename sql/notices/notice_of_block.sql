-- notice_of_block() -> trigger on gapless.block, once per UPDATE statement: writes the notices of blocks that
-- open, end early or are recalled
--
-- Once per change, in its transaction. Not of a block that is used up: the rollover that goes on in the
-- next one pays for one row (block.opened), and gapless.notices_find finds the used-up ones. Withdrawing a
-- block ends it, which is one notice; recalling one that is queued or open ends it, too, which are two.
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
