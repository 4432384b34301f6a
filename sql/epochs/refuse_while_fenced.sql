-- refuse_while_fenced(p_series_id) -> nothing; raises GL019 while the database is fenced, is not the one for
-- which the epoch was opened, or is prepared for a move
--
-- The caller must have locked the series' counter: raising a fence waits for that lock.
create or replace function gapless.refuse_while_fenced(p_series_id integer) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_trouble text;
begin
    select e.trouble into v_trouble from gapless.epoch_state() e;
    if v_trouble is not null
       or (select c.fenced from gapless.counter c where c.series_id = p_series_id)
    then
        raise exception 'the database is fenced: %; see: gapless epoch show', v_trouble
            using errcode = 'GL019';
    end if;
end;
$$;
