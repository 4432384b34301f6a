-- issue_ranges(p_series, p_count, p_key, p_reference, p_hold_seconds, p_whole) -> the ranges of
-- gapless.issue, not yet written out as numbers
--
-- Does what gapless.issue does, for callers that want ranges, such as the command line: same effect, errors
-- and lock. fate: as in gapless.issue_requests. p_whole: raise GL022 issuance-settled instead if any number
-- of the issuance is gone. The row in sql_issue makes COMMIT check that it waits for the disk
-- (gapless.commit_waits_for_disk).
create or replace function gapless.issue_ranges(
    p_series text, p_count bigint, p_key text, p_reference text, p_hold_seconds integer default null,
    p_whole boolean default false
)
returns table (
    series_id integer, replayed boolean, turn integer, ordinal bigint, serial bigint, count integer,
    block_id integer, epoch integer, issued_at timestamptz, reference_erased boolean,
    fate text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_series_id integer;
    v_range     record;
    v_state     record;
    v_detail    text;
    v_mark      tid;
    v_name      text; -- of the issuance of a repeated key
begin
    select * into v_state from gapless.epoch_state();
    if v_state.trouble is not null then
        raise exception 'the database is fenced: %; see: gapless epoch show', v_state.trouble
            using errcode = 'GL019';
    end if;
    select s.series_id into v_series_id from gapless.series s where s.name = p_series;
    if not found then
        raise exception 'there is no series %; list them: gapless series list', quote_literal(p_series)
            using errcode = 'GL005';
    end if;
    if p_count is null or p_count not between 1 and 100000 then
        raise exception 'count is %, allowed are 1 to 100000', coalesce(p_count::text, 'null')
            using errcode = 'GL017';
    end if;
    if p_hold_seconds not between 1 and 31622400 then
        raise exception 'a hold lasts 1 to 31622400 seconds, not %', p_hold_seconds using errcode = 'GL017';
    end if;
    if p_reference ~ '[\x01-\x1f\x7f-\x9f]' then
        raise exception 'reference holds a control character' using errcode = 'GL017';
    end if;
    if length(p_reference) > 255 then
        raise exception 'reference has % characters, allowed are 255', length(p_reference)
            using errcode = 'GL017';
    end if;

    perform gapless.wait_in_line(v_series_id);
    -- Deleted at once, by ctid: the deferred trigger fires at COMMIT all the same, and the table needs no
    -- cleanup.
    insert into gapless.sql_issue (series_id) values (v_series_id) returning ctid into v_mark;
    perform gapless.expect_rows((v_mark is not null)::integer, 1, 'sql_issue');
    delete from gapless.sql_issue s where s.ctid = v_mark;
    for v_range in
        select r.*
        from gapless.issue_requests(
            p_series_id => v_series_id, p_counts => array[p_count::integer],
            p_owners => array[gapless.owner_id('role:' || session_user)],
            p_keys => array[coalesce(gapless.key_to_uuid(p_key), gen_random_uuid())],
            p_references => array[nullif(p_reference, '')], p_contiguous => array[false],
            p_serializable => false,
            p_holds => case when p_hold_seconds is not null then array[p_hold_seconds] end,
            -- A restore may have ended while we waited for the series.
            p_known_epoch => v_state.epoch, p_known_counter => v_state.counter_oid
        ) r
    loop
        if v_range.outcome is not null then
            raise exception '%', v_range.detail using errcode = v_range.outcome;
        end if;
        v_name := coalesce(
            v_name, gapless.issuance_name(v_series_id, v_range.turn, v_range.ordinal)
        );
        if p_whole and v_range.fate in ('released', 'expired', 'reused', 'voided') then
            raise exception 'issuance % of this key is settled: number % was %; gapless issue with the same '
                            'key lists what is left, new numbers take a new key',
                v_name, gapless.number_at(v_series_id, v_range.ordinal), v_range.fate
                using errcode = 'GL022';
        end if;
        return query
            select v_series_id, v_range.replayed, v_range.turn, v_range.ordinal, v_range.serial,
                   v_range.count,
                            v_range.block_id, v_range.epoch, v_range.issued_at, v_range.reference_erased,
                            v_range.fate;
    end loop;
exception
    when sqlstate 'GL021' then
        -- Raising took back that leases were recalled (gapless.lease_before_exhausted).
        raise exception '%', replace(
            sqlerrm, 'are being recalled: repeat in a moment',
            case
            when exists (
                select from gapless.lease l where l.series_id = v_series_id and l.status = 'open'
            ) then 'stay there until somebody recalls them: gapless lease recall --all --series ' || p_series
            else 'were recalled: their instances return them, or somebody writes them off'
            end
        ) using errcode = 'GL021';
    when unique_violation then
        -- Compare the columns, because the index has another name during REINDEX CONCURRENTLY. A violation of
        -- any other unique index is not about the key.
        get stacked diagnostics v_detail = pg_exception_detail;
        if v_detail not like '%(key, owner_id)=%' then
            raise;
        end if;
        -- The key was spent in another series since we looked.
        raise exception '%', gapless.key_reused(clock_timestamp(), 'series') using errcode = 'GL016';
end;
$$;
