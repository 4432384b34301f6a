-- notice_of_load() -> trigger on gapless.block, once per INSERT statement: inserts a notice of each loaded
-- block, in order
--
-- As gapless.notice_add, for a file of 100,000 blocks in one statement. A loaded series is no longer
-- exhausted, and perhaps no longer low: if it is again before anybody looks, that is announced again.
create or replace function gapless.notice_of_load() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into gapless.notice (kind, series_id, block_id, epoch, environment)
    select 'block.loaded', i.series_id, i.block_id, (select max(e.epoch) from gapless.epoch e),
           (select e.name from gapless.environment e where e.only_row)
    from inserted i
    order by i.series_id, i.position;
    delete from gapless.alert_state k
    where k.kind in ('series.exhausted', 'series.low') and exists (
        select from inserted i where i.series_id = k.subject
    ) and (
        k.kind = 'series.exhausted' or exists (
            select
            from gapless.series s
            where s.series_id = k.subject
              and gapless.remaining(s.series_id) >= s.low_water
        )
    );
    return null;
end;
$$;

create or replace trigger loaded_blocks_are_noticed
    after insert on gapless.block
    referencing new table as inserted
    for each statement execute function gapless.notice_of_load();
