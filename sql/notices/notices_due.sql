-- notices_due(p_every) -> whether it is the caller's turn to look for what has no transaction of its own
-- (gapless.notices_find)
--
-- Of all callers one has it, once in p_every. Says no on a standby. To be called at READ COMMITTED.
create or replace function gapless.notices_due(p_every interval default '15 seconds') returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('transaction_read_only') = 'on'
       or not exists (select from gapless.notice_look l where l.begun_at <= clock_timestamp() - p_every)
    then
        return false;
    end if;
    perform from gapless.notice_look l
    where l.begun_at <= clock_timestamp() - p_every
    for update skip locked;
    if not found then
        return false;
    end if;
    update gapless.notice_look l set begun_at = clock_timestamp();
    return true;
end;
$$;
