-- hold_settle(p_series_id, p_turn, p_ordinal, p_numbers, p_confirm, p_actor) -> how many numbers were settled
-- now
--
-- Confirms or releases numbers of the hold that begins there; p_numbers null: all that are still held, by the
-- database's clock. Confirmed numbers are issued for good. Released ones are issued again, lowest first, or
-- voided, as the series' on_release says. Repeating a call changes nothing and is no error. Raises GL007
-- unknown-issuance; GL014 if named numbers are not part of the hold, are gone (gapless.issuance_fates) or
-- were settled the other way, and for a lease; GL022 issuance-settled if all are to be confirmed and all are
-- gone, also without a hold, which is GL014 otherwise; GL012 hold-expired if all are to be released and all
-- expired; GL019 while a move is prepared; GL020 if a crash could lose the confirmation, so that the number
-- would be issued again (gapless.assert_safe_to_issue). Needs scope issue (GL003, GL004:
-- gapless.require_scope). Locks the tally; to release, first the counter, because the next batch may issue
-- released numbers. Confirming does not block issuing.
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
    v_held   int8multirange;
    v_kept   int8multirange; -- confirmed, or issued without a hold, and not voided since
    v_wanted int8multirange;
    v_first  record; -- the lowest number that cannot be settled this way
    v_verb   text := case when p_confirm then 'confirmed' else 'released' end;
begin
    p_actor := gapless.require_scope('issue', gapless.series_name(p_series_id), p_actor);
    if p_confirm then
        perform gapless.assert_safe_to_issue(false);
    else
        perform from gapless.counter c where c.series_id = p_series_id for update;
    end if;
    perform from gapless.tally t where t.series_id = p_series_id for update;
    perform gapless.refuse_while_moving();
    select * into v_hold
    from gapless.hold h
    where h.series_id = p_series_id and h.turn = p_turn and h.ordinal = p_ordinal
    for update;
    if not found and not exists (
        select
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn = p_turn and l.ordinal = p_ordinal
          and l.key is not null
    ) then
        raise exception 'no issuance has this id' using errcode = 'GL007';
    end if;
    if v_hold.expires_at = 'infinity' then
        raise exception 'the numbers are on lease: their instance alone settles and returns them; list '
                        'leases: gapless lease list'
            using errcode = 'GL014';
    end if;

    select coalesce(range_agg(f.numbers) filter (where f.fate = 'held'), '{}'),
           coalesce(range_agg(f.numbers) filter (where f.fate in ('confirmed', 'issued')), '{}')
    into v_held, v_kept
    from (
        select f.fate, int8range(f.ordinal, f.ordinal + f.count) as numbers
        from gapless.issuance_fates(p_series_id, p_turn, p_ordinal) f
    ) f;
    if p_numbers is null and p_confirm and isempty(v_held + v_kept) then
        raise exception 'nothing of issuance % is left: its numbers were released, expired, reused or voided',
            gapless.issuance_name(p_series_id, p_turn, p_ordinal)
            using errcode = 'GL022';
    elsif v_hold.ordinal is null then
        raise exception 'the issuance is no hold: %', case
                when isempty(v_kept) then 'its numbers were voided'
                else 'what is left of it is issued; to take a number back, void it'
            end
            using errcode = 'GL014';
    elsif p_numbers is null and not p_confirm and isempty(v_held + v_hold.released) then
        if not isempty(v_hold.confirmed) then
            raise exception 'the hold was confirmed already; to take a number back, void it'
                using errcode = 'GL014';
        end if;
        raise exception '%', case
                when v_hold.expires_at <= gapless.believed_moment(clock_timestamp()) then
                    'the hold expired at '
                    || to_char(v_hold.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                else 'the hold has ended: the block of its numbers was recalled'
            end
            using errcode = 'GL012';
    end if;
    select n.ordinal, gapless.number_at(p_series_id, n.ordinal) as number, f.fate into v_first
    from (
        select lower(p_numbers - v_held - case when p_confirm then v_kept else v_hold.released end) as ordinal
    ) n
    left join gapless.issuance_fates(p_series_id, p_turn, p_ordinal) f
      on n.ordinal >= f.ordinal and n.ordinal < f.ordinal + f.count;
    if v_first.ordinal is not null then
        raise exception 'number % %', coalesce(v_first.number, 'with ordinal ' || v_first.ordinal),
            coalesce('is ' || v_first.fate || ', it cannot be ' || v_verb, 'is no part of this hold')
            using errcode = 'GL014';
    end if;
    v_wanted := coalesce(p_numbers, v_held) * v_held;
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
