-- refuse_forgotten(p_series_id, p_epoch, p_counter, p_ordinal, p_turn) -> nothing; raises if the database has
-- forgotten something that the caller knows, so that the series must not issue
--
-- The caller knows of an epoch that was open, the oid of gapless.counter (null: not known) and, for this
-- series, an ordinal and, within that epoch, a turn that were issued. A database behind any of these was
-- restored to an earlier state, even if connections survived. Turns count within an epoch only: free numbers
-- are voided when the next epoch begins. The caller must have locked the series' counter, so that what is
-- compared cannot change. Raises GL019, or GL020 if nothing was restored but a migration recreated
-- gapless.counter, or an epoch was opened in which the journal of the caller is unknown. The caller then
-- reads the state of the database again.
create or replace function gapless.refuse_forgotten(
    p_series_id integer, p_epoch integer, p_counter oid, p_ordinal bigint, p_turn integer
)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_state   record;
    v_counter gapless.counter;
begin
    select * into v_state from gapless.epoch_state();
    select * into v_counter from gapless.counter c where c.series_id = p_series_id;
    if v_state.counter_oid is distinct from coalesce(p_counter, v_state.counter_oid) then
        raise exception '%', coalesce(v_state.trouble, 'gapless.counter is another table than before')
            using errcode = case when v_state.trouble is null then 'GL020' else 'GL019' end,
                  hint = 'gapless epoch show';
    elsif v_state.epoch < p_epoch then
        raise exception 'numbers were answered in epoch %, the database is back in epoch %', p_epoch,
            v_state.epoch
            using errcode = 'GL019', hint = 'gapless epoch show';
    elsif v_state.epoch > p_epoch and p_epoch > 0 then
        raise exception 'epoch % was opened since this service connected; it connects again', v_state.epoch
            using errcode = 'GL020';
    elsif coalesce(v_counter.next_ordinal, 1) <= p_ordinal
       or (v_state.epoch, coalesce(v_counter.turn, 0)) < (p_epoch, p_turn)
    then
        raise exception 'the database lacks issued numbers: series % is at ordinal % in turn %, but ordinal '
                        '% in turn % was answered',
            p_series_id, coalesce(v_counter.next_ordinal - 1, 0), coalesce(v_counter.turn, 0), p_ordinal,
            p_turn
            using errcode = 'GL019', hint = 'gapless epoch show';
    end if;
end;
$$;
