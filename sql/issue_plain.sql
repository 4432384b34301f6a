-- issue_plain(p_series_id, p_offsets, p_counts, p_owners, p_keys, p_references, p_serializable, p_holds) -> one row, or none
--
-- The fast path: a batch of requests of one series, none of which was seen before, all of which fit into the open
-- block. Element k of the arrays is request k; its offset is the sum of the counts before it (the caller adds
-- them up, which costs PostgreSQL nothing, and the ledger's trigger refuses them if they are wrong). Inserts one ledger
-- row per request and answers where request 0 starts; request k starts p_offsets[k] later.
--
-- No row means that nothing was done because something is not plain: paused, the block too short or expired, no block, numbers that came
-- back and go first: the
-- caller takes the batch to gapless.issue_requests.
-- Raises 23505 (key_is_spent_once) when a key was seen before: the batch rolls back and goes there too. The key
-- index is never read here: that would take predicate locks on the leaf pages every other writer inserts into.
-- Locks the series' counter row until COMMIT; every issue of the series queues up there.
create or replace function gapless.issue_plain(
    p_series_id  integer,
    p_offsets    bigint[],
    p_counts     integer[],
    p_owners     integer[],
    p_keys       uuid[],
    p_references text[],
    p_serializable boolean,
    p_holds      integer[] default null -- seconds, null where nothing is held; null altogether when no request holds
)
returns table (ordinal bigint, serial bigint, block_id integer, epoch integer, issued_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_counter gapless.counter;
    v_total   bigint := p_offsets[cardinality(p_offsets)] + p_counts[cardinality(p_counts)];
begin
    perform gapless.assert_safe_to_issue(p_serializable);

    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    if v_counter.block_id is null or v_counter.paused or v_counter.fenced or v_counter.waiting > 0 or v_counter.valid_until < now()
       or v_counter.last_serial - v_counter.next_serial < v_total - 1
    then
        return;
    end if;

    insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch, reference, hold_seconds)
    select p_series_id, w.count, v_counter.next_ordinal + w.offset, v_counter.next_serial + w.offset, w.key, now(),
           v_counter.block_id, w.owner, v_counter.epoch, w.reference, w.hold
    from unnest(p_offsets, p_counts, p_owners, p_keys, p_references, p_holds) as w ("offset", count, owner, key, reference, hold);
    if p_holds is not null then
        perform gapless.hold_run(p_series_id, v_counter.next_ordinal, p_offsets, p_counts, p_holds);
    end if;

    return query select v_counter.next_ordinal, v_counter.next_serial, v_counter.block_id, v_counter.epoch, now();
end;
$$;
