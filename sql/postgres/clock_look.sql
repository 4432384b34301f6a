-- clock_look(p_last, p_elapsed, out at, out believed) -> the clock, and whether anything may expire by it
--
-- p_last: what this returned to the caller when it was last believed; p_elapsed: how much time has passed
-- since by a monotonic clock (null: it never looked). A clock that went further than that plus five minutes
-- was set; if another caller believed or accepted a moment after that, p_elapsed counts from that one on.
-- One that nobody looked at for 30 days may have been set. It is then in doubt for all callers, until it is
-- before the moment at which the doubt began, or somebody accepts it (gapless.clock_accept). Writes once a
-- minute. Raises nothing of its own. Locks the row of the clock when it writes.
create or replace function gapless.clock_look(
    p_last timestamptz, p_elapsed interval, out at timestamptz, out believed boolean
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_clock gapless.clock;
begin
    at := clock_timestamp();
    select * into v_clock from gapless.clock;
    believed := case
                when at >= v_clock.doubted_at then false
                when p_last is null then coalesce(at <= v_clock.looked_at + interval '30 days', true)
                when v_clock.looked_at > p_last + p_elapsed
                    then at <= v_clock.looked_at + p_elapsed + interval '5 minutes'
                else at <= p_last + p_elapsed + interval '5 minutes'
                end;
    if not believed and (at >= v_clock.doubted_at) is not true then
        update gapless.clock c set doubted_at = clock_look.at;
    elsif believed
          and (
              v_clock.doubted_at is not null
                  or (at between v_clock.looked_at and v_clock.looked_at + interval '1 minute') is not true
          )
    then
        update gapless.clock c set looked_at = clock_look.at, doubted_at = null;
    end if;
end;
$$;
