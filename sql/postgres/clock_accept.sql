-- clock_accept(p_actor) -> the clock, accepted as right although it went further than time did
--
-- Whatever has expired by it may end from now on. Raises GL014 unless the clock is in doubt. Writes one audit
-- row. Locks the row of the clock.
create or replace function gapless.clock_accept(p_actor text) returns timestamptz
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_clock gapless.clock;
    v_now   timestamptz := clock_timestamp();
begin
    select * into v_clock from gapless.clock for update;
    if v_clock.doubted_at is null then
        raise exception 'the clock of the database is not doubted: there is nothing to accept'
            using errcode = 'GL014';
    end if;
    update gapless.clock c set looked_at = v_now, doubted_at = null;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'clock.accept', p_subject => 'database',
        p_before => jsonb_build_object('looked_at', v_clock.looked_at, 'doubted_at', v_clock.doubted_at),
        p_after => jsonb_build_object('looked_at', v_now)
    );
    return v_now;
end;
$$;
