-- time_zone_set(p_zone, p_actor) -> nothing; makes days begin as in that time zone
--
-- p_zone: a name of the IANA database, 'Europe/Berlin' for example, case-insensitive. Consumption gathered by
-- the days of another zone is deleted and gathered again; manifests stay as they are. Raises GL017 for a name
-- that PostgreSQL does not know. Writes one audit row. Locks the calendar, and waits there for a session that
-- gathers consumption. Call it at READ COMMITTED: above, it would not see what that one adds, nor delete it.
create or replace function gapless.time_zone_set(p_zone text, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_zone   text;
    v_before text;
begin
    select n.name into v_zone
    from pg_timezone_names n
    where lower(n.name) = lower(p_zone) and n.name !~ '^(posix/|right/|posixrules$|localtime$|Factory$)';
    if v_zone is null then
        raise exception
            'there is no time zone %; name one of the IANA database, such as Europe/Berlin or UTC',
            quote_nullable(p_zone)
            using errcode = 'GL017';
    end if;
    select c.time_zone into v_before from gapless.calendar c for update;
    if v_before <> v_zone then
        update gapless.calendar c set time_zone = v_zone;
        delete from gapless.consumption;
    end if;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'time_zone.set', p_subject => 'database',
        p_before => to_jsonb(v_before), p_after => to_jsonb(v_zone)
    );
end;
$$;
