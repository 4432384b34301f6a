-- notice_is_numbered_once() -> trigger on gapless.notice: a notice stays as it was written, and gets its
-- number once
--
-- Raises 23514, even for the owner: a reader that has read up to a number must never find another notice
-- there. The update that numbers a notice may also complete its data.
create or replace function gapless.notice_is_numbered_once() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_numbered gapless.notice := new;
begin
    v_numbered.seq := old.seq;
    v_numbered.time_zone := old.time_zone;
    v_numbered.data := old.data;
    if old.seq is not null or v_numbered is distinct from old then
        raise exception 'a notice stays as it was written'
            using errcode = 'check_violation', constraint = 'notice_is_numbered_once',
                  schema = 'gapless', table = 'notice';
    end if;
    return new;
end;
$$;

create or replace trigger notice_is_numbered_once before update on gapless.notice
    for each row execute function gapless.notice_is_numbered_once();
