-- load_lock(p_series, p_alone, p_actor) -> nothing; for the first statement of a transaction that loads
--
-- Locks the number space (gapless.lock_space), so that warnings about its blocks see all of them; with
-- p_alone until COMMIT every other load of the database that asks for it as well, so that numbers which two
-- series would share are warned of even if both are loaded at the same moment. A load of minutes asks for
-- that at its end, and looks again. Needs scope load (GL003, GL004: gapless.require_scope). Raises GL005
-- unknown-series, GL021 overloaded if a lock is not granted in time.
create or replace function gapless.load_lock(p_series text, p_alone boolean, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.require_scope('load', p_series, p_actor);
    perform gapless.lock_space(p_series);
    if p_alone then
        perform pg_advisory_xact_lock(28269, 0); -- "nm" in ASCII
    end if;
exception when lock_not_available then
    raise exception 'somebody else loads blocks at this moment; try again when that is done'
        using errcode = 'GL021';
end;
$$;
