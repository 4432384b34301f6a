-- notices_due(p_every) -> whether it is the caller's turn to call gapless.notices_find
--
-- One of all callers gets the turn, once per p_every. A turn that began after now, by a clock that has been
-- put right since, is over. False on a standby. Call it at READ COMMITTED.
create or replace function gapless.notices_due(p_every interval default '15 seconds') returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('transaction_read_only') = 'on'
       or not exists (
           select
           from gapless.notice_look l
           where l.begun_at not between clock_timestamp() - p_every and clock_timestamp()
       )
    then
        return false;
    end if;
    perform from gapless.notice_look l
    where l.begun_at not between clock_timestamp() - p_every and clock_timestamp()
    for update skip locked;
    if not found then
        return false;
    end if;
    update gapless.notice_look l set begun_at = clock_timestamp();
    return true;
end;
$$;
