-- epoch_join(p_journal, p_host) -> the host on which this journal was used last, if it is another one; null:
-- it is not, or this one was noted in this epoch already
--
-- Records, once per epoch and host, that an instance with this journal was admitted: a move to another server
-- requires the journals of all of them (gapless.epoch_move_report). A journal that appears on another host
-- was moved, or its machine was cloned. Call it at READ COMMITTED.
create or replace function gapless.epoch_join(p_journal uuid, p_host text) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_epoch integer := (select max(e.epoch) from gapless.epoch e);
    v_host  text;
begin
    if exists (
        select
        from gapless.epoch_journal j
        where j.epoch = v_epoch and j.journal_id = p_journal and j.host = p_host
    ) then
        return null;
    end if;
    select j.host into v_host
    from gapless.epoch_journal j
    where j.journal_id = p_journal
    order by j.joined_at desc
    limit 1;
    insert into gapless.epoch_journal (epoch, journal_id, host) values (
        v_epoch, p_journal, p_host
    ) on conflict do nothing;
    return nullif(v_host, p_host);
end;
$$;
