-- series_ids_set(p_first, p_actor) -> nothing; makes the series ids of this database start at p_first
--
-- For several databases behind one address: no two of them then use the same series id, so anything whose id
-- contains a series id, such as an issuance, can be routed. p_first is 10, 20 … 90 million; the database uses
-- the ten million ids from there. Raises GL017 for any other value, GL014 if the database has had a series,
-- or was set before. Writes one audit row. Locks gapless.fence_order, so that no series is created meanwhile.
create or replace function gapless.series_ids_set(p_first integer, p_actor text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before integer;
begin
    if (p_first between 10000000 and 90000000 and p_first % 10000000 = 0) is not true then
        raise exception 'ids of series begin at 10000000, 20000000 … or 90000000, not at %', p_first
            using errcode = 'GL017';
    end if;
    perform gapless.lock_fence_order();
    v_before := gapless.series_ids();
    if v_before <> 1 or exists (select from gapless.series) then
        raise exception 'ids of series begin at % here, which is chosen once, before there is a series',
            v_before using errcode = 'GL014';
    end if;
    -- Not setval(): a dry run must be able to roll it back.
    execute format(
        'alter sequence gapless.series_series_id_seq minvalue %s maxvalue %s start with %1$s restart',
        p_first, p_first + 9999999
    );
    perform gapless.audit(
        p_actor => p_actor, p_action => 'database.series_ids', p_subject => 'database',
        p_before => to_jsonb(v_before), p_after => to_jsonb(p_first)
    );
end;
$$;
