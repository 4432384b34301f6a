-- seal(p_series_id, p_limit) -> true: there is more, call it again; false: all is sealed; null: not now,
-- somebody is writing to the audit log
--
-- Adds links to the series' hash chain (0: to the chain of the records that all series share), at most one of
-- each kind and p_limit rows to each. Raises GL019 while the database is fenced: forgotten numbers are
-- reconciled first.
--
-- A link's records are exact whatever runs concurrently, and nobody waits: records are numbered under a lock
-- that their transaction holds until COMMIT (counter, tally, series), so everything below the number read
-- here is committed. Audit log and owners are numbered without a lock: they are sealed at moments when nobody
-- is writing there. Never SERIALIZABLE, whose predicate locks on the ledger would abort issuing (raises
-- 25001). Sealers of one series queue up on an advisory lock; the primary key refuses a fork, too.
create or replace function gapless.seal(p_series_id integer, p_limit bigint default 10000) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_more    boolean := false;
    v_trouble text;
    v_hash    bytea;
    v_seal    gapless.seal;
    v_last    bigint; -- the last record of the kind that may be sealed now
    v_text    text;
    v_arrived bigint;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'records are sealed at read committed, not %',
            current_setting('transaction_isolation')
            using errcode = 'active_sql_transaction';
    end if;
    perform pg_advisory_xact_lock(28275, p_series_id); -- "ns" in ASCII
    select s.trouble into v_trouble from gapless.epoch_state() s;
    if v_trouble is not null then
        raise exception 'the database is fenced: %; see: gapless epoch show', v_trouble
            using errcode = 'GL019';
    end if;
    if p_series_id = 0 then
        begin
            lock table gapless.audit_log, gapless.token_owner in share mode nowait;
        exception when lock_not_available then
            return null;
        end;
    end if;

    select s.link, s.hash into v_seal.link, v_hash
    from gapless.seal s
    where s.series_id = p_series_id order by s.link desc limit 1;
    v_hash := coalesce(v_hash, gapless.seal_origin(p_series_id));
    v_seal.series_id := p_series_id;
    v_seal.link := coalesce(v_seal.link, 0);
    v_seal.sealed_at := now();
    select max(e.epoch) into v_seal.epoch from gapless.epoch e;
    for v_seal.kind, v_seal.first, v_last in
        select u.kind, u.first, u.last from gapless.unsealed_of(p_series_id) u
    loop
        v_seal.link := v_seal.link + 1;
        select t.rows, t.last, t.text into v_seal.rows, v_seal.last, v_text
        from gapless.seal_text(
            p_series_id => p_series_id, p_kind => v_seal.kind, p_first => v_seal.first,
            p_last => case v_seal.kind
                when 'ledger' then v_last
                -- Block ids count across all series: counted by id, most links of a series would cover no
                -- block.
                when 'block' then (
                    select max(n.block_id)
                    from (
                        select b.block_id
                        from gapless.block b
                        where b.series_id = p_series_id and b.block_id between v_seal.first and v_last
                        order by b.block_id
                        limit p_limit
                    ) n
                )
                else least(v_last, v_seal.first + p_limit - 1)
                end,
            p_limit => p_limit
        ) t;
        v_seal.hash := gapless.seal_hash(v_seal, v_hash, v_text);
        insert into gapless.seal select v_seal.*;
        get diagnostics v_arrived = row_count;
        perform gapless.expect_rows(v_arrived, 1, 'seal');
        v_hash := v_seal.hash;
        v_more := v_more or v_seal.last < v_last;
    end loop;
    return v_more;
end;
$$;
