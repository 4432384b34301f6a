-- epoch_propose(p_epoch, p_reason, p_proof, p_actor) -> the role that proposed the same before; null: this
-- call proposes it
--
-- Opening an epoch takes two people, told apart by the database roles they log in with. The first one
-- proposes it, which is a row of the audit log; within a day another one opens it (gapless.epoch_open) with
-- the same proof. Raises GL014 unless p_epoch is the next epoch.
create or replace function gapless.epoch_propose(p_epoch integer, p_reason text, p_proof jsonb, p_actor text)
returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_first text := gapless.epoch_proposer(p_epoch, p_proof);
    v_epoch integer;
begin
    select s.epoch into v_epoch from gapless.epoch_state() s;
    if p_epoch is distinct from v_epoch + 1 then
        raise exception 'the next epoch is %, not %', v_epoch + 1, p_epoch using errcode = 'GL014';
    end if;
    if v_first is null then
        perform gapless.audit(
            p_actor => p_actor, p_action => 'epoch.propose', p_subject => p_epoch::text, p_before => null,
            p_after => jsonb_build_object('reason', p_reason, 'proof', p_proof, 'role', session_user)
        );
    end if;
    return v_first;
end;
$$;
