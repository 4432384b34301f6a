-- epoch_join(p_journal, p_host) -> the other host on which this journal was used before; null: none, or it
-- was reported already
--
-- Records, once per host, that an instance with this journal was admitted in the present epoch: a move to
-- another server requires the journals of all of them. A journal that appears on another host was moved, or
-- its machine was cloned. Call it at READ COMMITTED.
create or replace function gapless.epoch_join(p_journal uuid, p_host text) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_epoch integer := (select max(e.epoch) from gapless.epoch e);
begin
    if exists (
        select
        from gapless.epoch_journal j
        where j.epoch = v_epoch and j.journal_id = p_journal and j.host = p_host
    ) then
        return null;
    end if;
    insert into gapless.epoch_journal (epoch, journal_id, host) values (
        v_epoch, p_journal, p_host
    ) on conflict do nothing;
    return (
        select j.host
        from gapless.epoch_journal j
        where j.journal_id = p_journal and j.host <> p_host order by j.joined_at desc limit 1
    );
end;
$$;
