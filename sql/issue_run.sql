-- issue_run(p_series_id, p_run, p_offsets, p_counts, p_owners, p_keys, p_references, p_serializable) -> one row per request
--
-- Issues the requests named in p_run (positions in the other arrays, new and plain, with room in the open block) as one
-- insert, through gapless.issue_plain. An empty run gives no row.
create or replace function gapless.issue_run(
    p_series_id    integer,
    p_run          integer[],
    p_offsets      bigint[], -- of each request in p_run
    p_counts       integer[],
    p_owners       integer[],
    p_keys         uuid[],
    p_references   text[],
    p_serializable boolean
)
returns table (
    request integer, outcome text, replayed boolean, turn smallint, ordinal bigint, serial bigint, count integer,
    block_id integer, epoch integer, issued_at timestamptz, detail text
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    if cardinality(p_run) = 0 then
        return;
    end if;
    return query
        with picked as (
            select array_agg(p_counts[r.i] order by r.k) as counts, array_agg(p_owners[r.i] order by r.k) as owners,
                   array_agg(p_keys[r.i] order by r.k) as keys, array_agg(p_references[r.i] order by r.k) as refs
            from unnest(p_run) with ordinality as r (i, k)
        )
        select w.request, null::text, false, 0::smallint, s.ordinal + w."offset", s.serial + w."offset", p_counts[w.request],
               s.block_id, s.epoch, s.issued_at, null::text
        from picked p
        cross join lateral gapless.issue_plain(p_series_id, p_offsets, p.counts, p.owners, p.keys, p.refs, p_serializable) s
        cross join unnest(p_run, p_offsets) as w (request, "offset");
    if not found then
        raise exception 'the open block of series % has no room for a run of % requests', p_series_id, cardinality(p_run);
    end if;
end;
$$;
