-- place_note() -> nothing; from now on a clone of the data directory is told from this database
--
-- For an epoch that began while the owner of the schema was not allowed to know the data directory
-- (pg_read_all_settings), once it is. Does nothing where the place is noted, or something is wrong. What is
-- noted is taken for the original.
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
