-- note_event(p_series_id, p_kind, p_numbers, p_actor, p_reason, p_force) -> how many numbers were affected
--
-- Records what happened to issued numbers, as a set of ordinals: printed (from issued), reprinted (of printed
-- or manifested numbers, no change of state), voided (from issued or printed; p_force: also manifested and
-- returned; needs a reason), manifested (from issued or printed), returned (from printed or manifested).
-- Numbers already in that state are left alone, so a repeated request changes nothing; a reprint counts every
-- time. Raises GL005 unknown-series, GL014 naming the first number whose state does not allow it, GL017
-- without a reason, GL018 for a number on lease, GL019 while a move is prepared. Needs scope issue (GL003,
-- GL004: gapless.require_scope). Numbers are never issued again after any of these. What people decide about
-- single numbers (voided, reprinted, returned) gets one audit row per block; what comes with every label and
-- every day is only in the numbers' history, whose size the audit rows would double. Locks the series' tally
-- row; issuing goes on.
create or replace function gapless.note_event(
    p_series_id integer, p_kind text, p_numbers int8multirange, p_actor text, p_reason text, p_force boolean
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_concerned int8multirange;
    v_next      bigint;
begin
    p_actor := gapless.require_scope('issue', gapless.series_name(p_series_id), p_actor);
    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    if not found then
        raise exception 'series % does not exist', p_series_id using errcode = 'GL005';
    end if;
    if not p_numbers <@ int8range(1, v_next) then
        raise exception 'ordinal % is not issued yet', lower(p_numbers - int8multirange(int8range(1, v_next)))
            using errcode = 'GL014';
    end if;
    if p_kind = 'voided' and coalesce(btrim(p_reason), '') = '' then
        raise exception 'voiding needs a reason' using errcode = 'GL017';
    end if;

    v_concerned := case p_kind
        when 'printed'
            then gapless.change_state(
                p_series_id => p_series_id, p_numbers => p_numbers, p_from => array['issued'],
                p_to => 'printed'
            )
        when 'reprinted'
            then gapless.require_state(
                p_series_id => p_series_id, p_numbers => p_numbers,
                p_states => array['printed', 'manifested'], p_to => p_kind
            )
        when 'voided' then gapless.change_state(
            p_series_id => p_series_id, p_numbers => p_numbers,
            p_from => case
                when p_force then array['issued', 'printed', 'manifested', 'returned']
                else array['issued', 'printed']
                end,
            p_to => 'voided')
        when 'manifested'
            then gapless.change_state(
                p_series_id => p_series_id, p_numbers => p_numbers, p_from => array['issued', 'printed'],
                p_to => 'manifested'
            )
        when 'returned'
            then gapless.change_state(
                p_series_id => p_series_id, p_numbers => p_numbers, p_from => array['printed', 'manifested'],
                p_to => 'returned'
            )
    end;
    if v_concerned is null then
        raise exception 'there is no event %; events are printed, reprinted, voided, manifested, returned',
            quote_literal(p_kind)
            using errcode = 'GL017';
    end if;
    perform gapless.refuse_while_moving();
    perform gapless.record_event(
        p_series_id => p_series_id, p_kind => p_kind, p_numbers => v_concerned, p_actor => p_actor,
        p_reason => nullif(btrim(p_reason), '')
    );
    if p_kind not in ('printed', 'manifested') then
        perform gapless.audit_event(
            p_series_id => p_series_id, p_kind => p_kind, p_numbers => v_concerned, p_actor => p_actor,
            p_reason => p_reason
        );
    end if;
    return gapless.size_of(v_concerned);
end;
$$;
