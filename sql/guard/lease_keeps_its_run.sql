-- lease_keeps_its_run() -> trigger on gapless.lease: a lease keeps its numbers and its instance, and its
-- status never goes back
--
-- The order is open, recalled, then closed or lost. Raises 23514, even for the owner: a lease that was
-- returned or written off must not be drawn on again.
create or replace function gapless.lease_keeps_its_run() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_kept  gapless.lease := new;
    v_order constant text[] := array['open', 'recalled', 'closed', 'lost'];
begin
    v_kept.draw_until := old.draw_until;
    v_kept.status := old.status;
    v_kept.written_off := old.written_off;
    if v_kept is distinct from old then
        raise exception 'lease % keeps its numbers and its instance', old.lease
            using errcode = 'check_violation', constraint = 'lease_keeps_its_run', schema = 'gapless',
                  table = 'lease';
    end if;
    if new.status <> old.status
       and (old.status in ('closed', 'lost')
            or array_position(v_order, new.status) < array_position(v_order, old.status))
    then
        raise exception 'lease % is % and cannot become % again', old.lease, old.status, new.status
            using errcode = 'check_violation', constraint = 'lease_never_goes_back', schema = 'gapless',
                  table = 'lease';
    end if;
    return new;
end;
$$;

create or replace trigger lease_keeps_its_run before update on gapless.lease
    for each row execute function gapless.lease_keeps_its_run();
