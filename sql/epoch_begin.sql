-- epoch_begin(p_epoch, p_reason, p_actor) -> nothing; the next life of the database begins, fences are lifted
--
-- For epoch_open and epoch_follow, which decide whether it may. Locks every counter, so that no batch spans two epochs.
create or replace function gapless.epoch_begin(p_epoch integer, p_reason text, p_actor text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    perform from gapless.counter c order by c.series_id for update;
    insert into gapless.epoch (epoch, database_id, system_identifier, timeline, place, opened_by, reason)
    select p_epoch, s.database_id, s.system_identifier, s.timeline, s.place, p_actor, p_reason from gapless.epoch_state() s;
    update gapless.counter c set epoch = p_epoch, fenced = false;
end;
$$;
