-- issue_run(p_series_id, p_run, p_offsets, p_counts, p_owners, p_keys, p_references, p_holds, p_serializable,
-- p_moment) -> rows
--
-- Issues the requests in p_run (positions in the other arrays, new and plain, within gapless.run_room) as one
-- insert: through gapless.issue_returned while there are free numbers, else through gapless.issue_plain.
-- Returns no rows for an empty run.
create or replace function gapless.issue_run(
    p_series_id    integer,
    p_run          integer[],
    p_offsets      bigint[], -- of each request in p_run
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_holds        integer[],
    p_serializable boolean,
    p_moment       timestamptz -- issued_at of the new rows
)
returns table (
    request integer, outcome text, replayed boolean, turn integer, ordinal bigint, serial bigint,
    count integer, block_id integer, epoch integer, issued_at timestamptz, detail text,
    reference_erased boolean
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_counts     integer[];
    v_owners     integer[];
    v_keys       uuid[];
    v_references text[];
    v_holds      integer[];
    v_first      record;
begin
    if cardinality(p_run) = 0 then
        return;
    end if;
    if (select c.waiting > 0 from gapless.counter c where c.series_id = p_series_id) then
        return query
            select *
            from gapless.issue_returned(
                p_series_id => p_series_id, p_run => p_run, p_offsets => p_offsets, p_counts => p_counts,
                p_owners => p_owners, p_keys => p_keys, p_references => p_references, p_holds => p_holds,
                p_moment => p_moment
            );
        return;
    end if;
    select array_agg(p_counts[r.i] order by r.k), array_agg(p_owners[r.i] order by r.k),
           array_agg(p_keys[r.i] order by r.k), array_agg(p_references[r.i] order by r.k),
           case when p_holds is not null then array_agg(p_holds[r.i] order by r.k) end
    into v_counts, v_owners, v_keys, v_references, v_holds
    from unnest(p_run) with ordinality as r (i, k);

    -- A statement of its own: in a join the planner would decide how often to call the function.
    select * into v_first
    from gapless.issue_plain(
        p_series_id => p_series_id, p_offsets => p_offsets, p_counts => v_counts, p_owners => v_owners,
        p_keys => v_keys, p_references => v_references, p_serializable => p_serializable, p_holds => v_holds,
        p_moment => p_moment
    );
    if not found then
        raise exception 'the open block of series % has no room for a run of % requests',
            p_series_id, cardinality(p_run);
    end if;
    return query
        select w.request, null::text, false, 0, v_first.ordinal + w."offset", v_first.serial + w."offset",
               p_counts[w.request], v_first.block_id, v_first.epoch, v_first.issued_at, null::text, false
        from unnest(p_run, p_offsets) as w (request, "offset");
end;
$$;
