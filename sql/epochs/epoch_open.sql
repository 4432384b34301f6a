-- epoch_open(p_epoch, p_reason, p_proof, p_actor) -> how many held and free numbers were voided; opens the
-- next epoch on an operator's word
--
-- p_epoch must be the present epoch plus 1, which shows that the operator has read its state. p_proof: what
-- the decision rests on, for the audit log. Voids held and free numbers: they may have been used since the
-- backup was taken. Another person must have proposed the same (gapless.epoch_propose), whatever the proof:
-- the database cannot read journals, so two roles answer for them, both on record. Raises GL014 for another
-- epoch, without the other person, or if leases may still be drawn on (gapless.leases_unproven), GL017
-- without a reason.
create or replace function gapless.epoch_open(p_epoch integer, p_reason text, p_proof jsonb, p_actor text)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before record;
    v_first  text;
    v_voided bigint;
    v_lacks  text;
begin
    lock table gapless.epoch in share row exclusive mode;
    select * into v_before from gapless.epoch_state();
    if p_epoch is distinct from v_before.epoch + 1 then
        raise exception 'the next epoch is %, not %', v_before.epoch + 1, p_epoch using errcode = 'GL014';
    end if;
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'opening an epoch needs a reason' using errcode = 'GL017';
    end if;
    v_first := gapless.epoch_proposer(p_epoch, p_proof);
    if v_first is null then
        raise exception 'another administrator than % has to propose the same epoch with the same proof '
                        'first: the database cannot read journals, two people answer for what they prove',
            session_user
            using errcode = 'GL014';
    end if;
    v_lacks := gapless.leases_unproven(p_proof -> 'leases');
    if v_lacks is not null then
        raise exception 'numbers may be on lease at %: their journals were not read; give the journals of '
                        'leases of all instances, or skip them',
            v_lacks
            using errcode = 'GL014';
    end if;
    perform gapless.epoch_begin(p_epoch, p_reason, p_actor);
    v_voided := gapless.epoch_void_returning(p_reason, p_actor);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'epoch.open', p_subject => p_epoch::text,
        p_before => to_jsonb(v_before),
        p_after => jsonb_build_object(
            'reason', p_reason, 'proof', p_proof, 'voided', v_voided::text, 'role', session_user,
            'proposed_by', v_first
        )
    );
    return v_voided;
end;
$$;
