-- epoch_void_again(p_series_id, p_ordinal, p_ordinal_at, p_turn, p_turn_at, p_reason, p_actor) -> how many
-- numbers were voided
--
-- For a database that was put back to an earlier state and issued before anybody noticed. Journals outside it
-- tell that the numbers up to p_ordinal were issued by p_ordinal_at, and reissues up to p_turn by p_turn_at.
-- Rows up to these with a later moment issued numbers a second time: nobody may rely on them, so they are
-- voided, whatever became of them, and a repeated key does not return them. Held and free numbers are left to
-- gapless.epoch_void_returning, and rows filled in since (gapless.epoch_fill) as they are. The caller must
-- have opened the epoch in the same transaction, which locks the counters. Writes one audit row.
create or replace function gapless.epoch_void_again(
    p_series_id integer, p_ordinal bigint, p_ordinal_at timestamptz, p_turn integer, p_turn_at timestamptz,
    p_reason text, p_actor text
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_numbers int8multirange;
begin
    select range_agg(int8range(l.ordinal, l.ordinal + l.count)) into v_numbers
    from gapless.ledger l
    where l.series_id = p_series_id
      and (
          l.turn = 0 and l.ordinal <= p_ordinal and l.issued_at > p_ordinal_at
          or l.turn between 1 and p_turn and l.issued_at > p_turn_at
      )
      and not exists (
          select
          from gapless.token_owner o
          where o.owner_id = l.owner_id and o.name in ('recovered', 'quarantined')
      );
    v_numbers := v_numbers - coalesce(
        (
            select range_agg(r)
            from gapless.number_state s, unnest(s.numbers) r
            where s.series_id = p_series_id and s.state in ('held', 'free')
        ),
        '{}'
    );
    if v_numbers is null or isempty(v_numbers) then
        return 0;
    end if;
    v_numbers := gapless.change_state(
        p_series_id => p_series_id, p_numbers => v_numbers,
        p_from => array['issued', 'printed', 'manifested', 'returned'], p_to => 'voided'
    );
    perform gapless.refuse_while_moving();
    perform gapless.record_event(
        p_series_id => p_series_id, p_kind => 'voided', p_numbers => v_numbers, p_actor => p_actor,
        p_reason => p_reason
    );
    perform gapless.audit(
        p_actor => p_actor, p_action => 'epoch.void_again', p_subject => gapless.series_name(p_series_id),
        p_before => null, p_after => jsonb_build_object('ordinals', v_numbers::text, 'reason', p_reason)
    );
    return gapless.size_of(v_numbers);
end;
$$;
