-- epoch_complete_move(p_epoch, p_reason, p_proof, p_actor) -> nothing; opens the next epoch after a move, and
-- voids nothing
--
-- Called on the new server; on the one where the move was prepared, it cancels the move. Only if
-- gapless.epoch_prepare_move ended the present epoch, every series is as it was then, and nobody has raised a
-- fence since. p_proof: what was compared outside, for the audit log. As for gapless.epoch_open, another
-- person must have proposed the same: the database can read neither journals nor the old server, so two roles
-- answer for them. Raises GL014, naming the first series that differs; GL017 without a reason.
create or replace function gapless.epoch_complete_move(
    p_epoch integer, p_reason text, p_proof jsonb, p_actor text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before  record;
    v_move    gapless.epoch_move;
    v_present jsonb := gapless.move_marks();
    v_series  text;
    v_first   text;
begin
    lock table gapless.epoch in share row exclusive mode;
    perform from gapless.counter c order by c.series_id for update;
    select * into v_before from gapless.epoch_state();
    if p_epoch is distinct from v_before.epoch + 1 then
        raise exception 'the next epoch is %, not %', v_before.epoch + 1, p_epoch using errcode = 'GL014';
    end if;
    if coalesce(btrim(p_reason), '') = '' then
        raise exception 'opening an epoch needs a reason' using errcode = 'GL017';
    end if;
    select * into v_move from gapless.epoch_move m where m.epoch = v_before.epoch;
    if not found then
        raise exception 'no move was prepared in epoch %: gapless epoch prepare-move does it on the server '
                        'that issues; without that server: gapless epoch open',
            v_before.epoch
            using errcode = 'GL014';
    end if;
    if exists (
        select from gapless.fence f where f.epoch = v_before.epoch and f.fence_id <> v_move.fence_id
    ) then
        raise exception 'another fence was raised: %; gapless epoch open is the way on',
                        (
                            select f.reason
                            from gapless.fence f
                            where f.epoch = v_before.epoch and f.fence_id <> v_move.fence_id
                            order by f.fence_id limit 1
                        )
            using errcode = 'GL014';
    end if;
    if v_present <> v_move.marks then
        select coalesce(a.key, b.key) into v_series
        from jsonb_each(v_move.marks) a full join jsonb_each(v_present) b on a.key = b.key
        where a.value is distinct from b.value
        order by coalesce(a.key, b.key) collate "C"
        limit 1;
        raise exception 'series % is not as it was when the move was prepared: it was at %, it is at %; '
                        'gapless epoch open is the way on',
            quote_literal(v_series),
                        coalesce(v_move.marks ->> v_series, 'nothing'),
                        coalesce(v_present ->> v_series, 'nothing')
            using errcode = 'GL014';
    end if;
    v_first := gapless.epoch_proposer(p_epoch, p_proof);
    if v_first is null then
        raise exception 'another administrator than % has to propose the same move with the same proof '
                        'first: the database cannot read journals, two people answer for what they prove',
            session_user
            using errcode = 'GL014';
    end if;
    perform gapless.epoch_begin(p_epoch, p_reason, p_actor);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'epoch.move', p_subject => p_epoch::text,
        p_before => to_jsonb(v_before),
        p_after => jsonb_build_object(
            'reason', p_reason, 'proof', p_proof, 'move', v_move.move_id, 'role', session_user, 'proposed_by',
            v_first
        )
    );
end;
$$;
