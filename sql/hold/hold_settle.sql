-- hold_settle(p_series_id, p_turn, p_ordinal, p_numbers, p_confirm, p_actor) -> how many numbers were settled
-- now
--
-- Confirms or releases numbers of the hold that begins there; p_numbers null: all that are still held.
-- Confirmed numbers are issued for good. Released ones go out again, lowest first, or are voided, as the
-- series' on_release says. Repeating it changes nothing and is no error. Raises GL007 unknown-issuance, GL012
-- hold-expired (by the database's clock, swept or not), GL014 when numbers are no part of the hold or were
-- settled the other way, and for a lease, GL019 while a move is prepared. Needs scope issue (GL003, GL004:
-- gapless.require_scope). Locks the tally, before that the counter when it releases: what is released may go
-- out in the very next batch. Confirming lets issuing go on.
create or replace function gapless.hold_settle(
    p_series_id integer, p_turn integer, p_ordinal bigint, p_numbers int8multirange, p_confirm boolean,
    p_actor text
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_hold   gapless.hold;
    v_before int8multirange; -- settled the same way earlier
    v_wanted int8multirange;
    v_first  bigint; -- the lowest one that is not held
    v_verb   text := case when p_confirm then 'confirmed' else 'released' end;
begin
    p_actor := gapless.require_scope('issue', gapless.series_name(p_series_id), p_actor);
    if not p_confirm then
        perform from gapless.counter c where c.series_id = p_series_id for update;
    end if;
    perform from gapless.tally t where t.series_id = p_series_id for update;
    perform gapless.refuse_while_moving();
    select * into v_hold
    from gapless.hold h
    where h.series_id = p_series_id and h.turn = p_turn and h.ordinal = p_ordinal
    for update;
    if not found then
        if exists (
            select
            from gapless.ledger l
            where l.series_id = p_series_id and l.turn = p_turn and l.ordinal = p_ordinal
              and l.key is not null
        ) then
            raise exception 'the issuance is no hold, its numbers were issued for good'
                using errcode = 'GL014',
                  hint = 'Numbers that will not be printed are voided: POST …/events with kind voided.';
        end if;
        raise exception 'no issuance has this id' using errcode = 'GL007';
    end if;
    if v_hold.expires_at = 'infinity' then
        raise exception 'the numbers are on lease: their instance alone settles and returns them'
            using errcode = 'GL014', hint = 'gapless lease show';
    end if;

    v_before := case when p_confirm then v_hold.confirmed else v_hold.released end;
    v_wanted := coalesce(p_numbers, v_hold.held) - v_before;
    if (p_numbers is null and not isempty(v_hold.expired)) or v_wanted && v_hold.expired
       or (v_wanted && v_hold.held and v_hold.expires_at <= clock_timestamp())
    then
        raise exception '%', case
                when v_hold.expires_at <= clock_timestamp() then
                    'the hold expired at '
                    || to_char(v_hold.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                else 'the hold has ended: the block of its numbers was recalled'
            end
            using errcode = 'GL012';
    end if;
    if not v_wanted <@ v_hold.held then
        v_first := lower(v_wanted - v_hold.held);
        raise exception 'number % %',
            coalesce(gapless.number_at(p_series_id, v_first), 'with ordinal ' || v_first), case
            when v_hold.confirmed @> v_first then 'is confirmed, it cannot be released'
            when v_hold.released @> v_first then 'is released, it cannot be confirmed'
            else 'is no part of this hold'
            end
            using errcode = 'GL014';
    end if;
    if p_numbers is null and isempty(v_wanted) and isempty(v_before) then
        raise exception 'the hold was % already', case when p_confirm then 'released' else 'confirmed' end
            using errcode = 'GL014';
    end if;
    if isempty(v_wanted) then
        return 0;
    end if;

    update gapless.hold h
    set held = h.held - v_wanted,
        confirmed = case when p_confirm then h.confirmed + v_wanted else h.confirmed end,
        released = case when p_confirm then h.released else h.released + v_wanted end
    where h.series_id = p_series_id and h.turn = p_turn and h.ordinal = p_ordinal;
    perform gapless.record_event(
        p_series_id => p_series_id, p_kind => v_verb, p_numbers => v_wanted, p_actor => p_actor,
        p_reason => null
    );
    if p_confirm then
        perform gapless.change_state(
            p_series_id => p_series_id, p_numbers => v_wanted, p_from => array['held'], p_to => 'issued'
        );
    else
        perform gapless.give_back(
            p_series_id => p_series_id, p_numbers => v_wanted,
            p_policy => (select s.on_release from gapless.series s where s.series_id = p_series_id),
            p_reason => 'released', p_actor => p_actor
        );
    end if;
    return gapless.size_of(v_wanted);
end;
$$;
