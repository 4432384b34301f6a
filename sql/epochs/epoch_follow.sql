-- epoch_follow(p_proof, p_actor) -> nothing; opens the next epoch after a failover, for an instance that can
-- prove it
--
-- Only if nothing but the timeline has moved on, and nobody raised a fence; else raises GL019. p_proof: what
-- the instance compared. The first of several instances opens the epoch; for the others this does nothing.
create or replace function gapless.epoch_follow(p_proof text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_state record;
begin
    lock table gapless.epoch in share row exclusive mode;
    select * into v_state from gapless.epoch_state();
    if v_state.trouble is null then
        return;
    end if;
    if not v_state.movable then
        raise exception '%', v_state.trouble using errcode = 'GL019', hint = 'gapless epoch show';
    end if;
    perform gapless.epoch_begin(v_state.epoch + 1, 'failover to timeline ' || v_state.timeline, p_actor);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'epoch.follow', p_subject => (v_state.epoch + 1)::text,
        p_before => to_jsonb(v_state), p_after => jsonb_build_object('proof', p_proof)
    );
end;
$$;
