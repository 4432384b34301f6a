-- place_note() -> nothing; records the data directory, so that a clone of it can be told from this database
--
-- For an epoch that began when the owner of the schema could not read the data directory's path
-- (pg_read_all_settings); records it once the owner can. Does nothing if it is recorded already, or something
-- is wrong. The directory recorded counts as the original.
create or replace function gapless.place_note() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select
        from gapless.epoch e
        where e.epoch = (select max(m.epoch) from gapless.epoch m) and e.place is null
          and not exists (select from gapless.epoch_place p where p.epoch = e.epoch)
    ) then
        return;
    end if;
    insert into gapless.epoch_place (epoch, place)
    select s.epoch, s.place
    from gapless.epoch_state() s
    where s.trouble is null and s.place is not null
    on conflict do nothing;
end;
$$;
