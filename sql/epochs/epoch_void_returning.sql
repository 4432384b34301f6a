-- epoch_void_returning(p_reason, p_actor) -> how many numbers were voided
--
-- After a restore nobody knows what became of numbers that were held or free when the backup was taken: they
-- may have been printed since. So that none of them is issued again, releases open holds, and voids their
-- numbers and all free ones. Writes off leases: what their instances answered can still be settled. Locks
-- every counter and tally.
create or replace function gapless.epoch_void_returning(p_reason text, p_actor text) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_voided bigint := 0;
    v_series integer;
    v_held   int8multirange; -- null: none
    v_free   int8multirange;
begin
    for v_series in select c.series_id from gapless.counter c order by c.series_id for update loop
        perform from gapless.tally t where t.series_id = v_series for update;
        update gapless.lease l set status = 'lost', written_off = l.written_off + h.held
        from gapless.hold h
        where h.series_id = v_series and not isempty(h.held)
          and l.series_id = h.series_id and l.turn = h.turn and l.ordinal = h.ordinal;
        with open as (
            select h.turn, h.ordinal, h.held
            from gapless.hold h
            where h.series_id = v_series and not isempty(h.held)
        ), ended as (
            update gapless.hold h set held = '{}', released = h.released + o.held
            from open o
            where h.series_id = v_series and h.turn = o.turn and h.ordinal = o.ordinal
        )
        select range_agg(r) into v_held from open o cross join lateral unnest(o.held) as r;
        if v_held is not null then
            perform gapless.record_event(
                p_series_id => v_series, p_kind => 'released', p_numbers => v_held, p_actor => p_actor,
                p_reason => p_reason
            );
            perform gapless.give_back(
                p_series_id => v_series, p_numbers => v_held, p_policy => 'void', p_reason => p_reason,
                p_actor => p_actor
            );
            v_voided := v_voided + gapless.size_of(v_held);
        end if;
        select range_agg(int8range(f.ordinal, f.ordinal + f.room)) into v_free
        from gapless.free_pieces(v_series) f;
        v_voided := v_voided + gapless.void_free(
            p_series_id => v_series, p_numbers => v_free, p_reason => p_reason, p_actor => p_actor);
    end loop;
    return v_voided;
end;
$$;
