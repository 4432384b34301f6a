-- assert_safe_to_issue(p_serializable) -> nothing
--
-- Refuses to issue where an acknowledged number could be lost: on a standby, or in a session whose COMMIT
-- does not wait for the disk and the standby. The service also requires SERIALIZABLE (p_serializable); a
-- caller of gapless.issue chooses its own isolation level. Raises GL020. Called every time, because a client
-- library that reconnects by itself can lose session settings.
create or replace function gapless.assert_safe_to_issue(p_serializable boolean) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if pg_is_in_recovery() then
        raise exception 'this server is a standby: numbers are issued on the primary only'
            using errcode = 'GL020';
    end if;
    if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
        raise exception 'synchronous_commit is %: an issued number could be lost; set it to on',
            current_setting('synchronous_commit')
            using errcode = 'GL020';
    end if;
    if p_serializable and current_setting('transaction_isolation') <> 'serializable' then
        raise exception 'the transaction is %, not serializable; set default_transaction_isolation = '
                        'serializable',
            current_setting('transaction_isolation')
            using errcode = 'GL020';
    end if;
end;
$$;
