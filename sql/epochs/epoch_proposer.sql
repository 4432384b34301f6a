-- epoch_proposer(p_epoch, p_proof) -> the role, other than this session's, that proposed this within a day;
-- null: none
create or replace function gapless.epoch_proposer(p_epoch integer, p_proof jsonb) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select a.after ->> 'role'
    from gapless.audit_log a
    where a.action = 'epoch.propose' and a.subject = p_epoch::text and a.after -> 'proof' = p_proof
      and a.after ->> 'role' <> session_user and a.at > now() - interval '1 day'
    order by a.audit_id desc
    limit 1;
$$;
