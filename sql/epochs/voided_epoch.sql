-- voided_epoch() -> the latest epoch that an operator opened, which voided what was held and free; 0: none
--
-- Turns that were answered before it do not count: what they reissued was voided. gapless.epoch_follow and
-- gapless.epoch_complete_move void nothing, so turns count beyond the epochs that these open.
create or replace function gapless.voided_epoch() returns integer
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(max(a.subject::integer), 0) from gapless.audit_log a where a.action = 'epoch.open';
$$;
