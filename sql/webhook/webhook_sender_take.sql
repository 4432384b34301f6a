-- webhook_sender_take() -> the term in which this session delivers; null: another one does
--
-- One session at a time, over all instances. It holds an advisory lock of its term, so that its end shows
-- at once, whatever it died of; who is frozen loses the term when it has not shown itself for 30 seconds
-- (gapless.webhook_due, webhook_report). What it reports when it wakes is of an old term, and void. Who
-- has the term and calls again keeps it. Null on a standby. To be called at READ COMMITTED, by a session
-- that stays.
create or replace function gapless.webhook_sender_take() returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_sender gapless.webhook_sender;
    v_holder integer; -- the process that holds the lock of the term
begin
    if current_setting('transaction_read_only') = 'on' then
        return null;
    end if;
    select * into v_sender from gapless.webhook_sender s for update skip locked;
    if not found then
        return null;
    end if;
    v_holder := gapless.webhook_sender_session(v_sender.term);
    if v_holder = pg_backend_pid() then
        return v_sender.term;
    end if;
    if v_holder is not null and v_sender.seen_at > clock_timestamp() - interval '30 seconds' then
        return null;
    end if;
    -- Another session has it after it took the term and could not commit; it tries again.
    if not pg_try_advisory_lock(28279, v_sender.term + 1) then
        return null;
    end if;
    update gapless.webhook_sender s set term = s.term + 1, seen_at = clock_timestamp();
    return v_sender.term + 1;
end;
$$;
