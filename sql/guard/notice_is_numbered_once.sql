-- notice_is_numbered_once() -> trigger on gapless.notice: what happened stays as it was written, and gets
-- its number once
--
-- Raises 23514. Also for the owner: who has read up to a number must not meet another notice there. Of one
-- that is being numbered data is completed.
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
