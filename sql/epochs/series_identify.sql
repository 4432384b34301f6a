-- series_identify(p_name, p_series_id, p_actor) -> nothing; gives a series the id that journals know it by
--
-- For a series that a restore took away and an operator has just created again: identity values are not
-- given out twice, not even those of a creation that failed, so it may have another id than before. Does
-- nothing if it has this one. Raises GL014 unless the database is fenced, while a gaplessd is connected
-- (it remembers ids), if another series has the id, or once a block was loaded or proposed or a day was
-- closed; GL005 for an unknown series; GL017 for an id beyond those of this database
-- (gapless.series_ids_set). Writes one audit row. Locks gapless.fence_order, so nobody creates a series
-- meanwhile.
create or replace function gapless.series_identify(p_name text, p_series_id integer, p_actor text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before  integer;
    v_service integer; -- backend of a gaplessd
    v_arrived bigint;
begin
    if (select s.trouble is null from gapless.epoch_state() s) then
        raise exception 'the database is not fenced: there is nothing to reconcile' using errcode = 'GL014';
    end if;
    if (p_series_id > 0 and p_series_id / 10000000 = gapless.series_ids() / 10000000) is not true then
        raise exception 'ids of series begin at % here, and there are ten million at most, not %',
            gapless.series_ids(), coalesce(p_series_id::text, 'null') using errcode = 'GL017';
    end if;
    perform gapless.lock_fence_order();
    select s.series_id into v_before from gapless.series s where s.name = p_name for update;
    if not found then
        raise exception 'series % does not exist', quote_nullable(p_name) using errcode = 'GL005';
    end if;
    if v_before = p_series_id then
        return;
    end if;
    select a.pid into v_service
    from pg_stat_activity a
    where a.datname = current_database() and a.application_name = 'gaplessd'
    limit 1;
    if found then
        raise exception 'a gaplessd is connected (backend %): it remembers the ids of series. Stop every '
                        'gaplessd until the next epoch is open', v_service using errcode = 'GL014';
    end if;
    if exists (select from gapless.series s where s.series_id = p_series_id) then
        raise exception 'series % has the id %', quote_literal(gapless.series_name(p_series_id)), p_series_id
            using errcode = 'GL014';
    end if;
    if exists (select from gapless.block b where b.series_id = v_before)
       or exists (select from gapless.proposal p where p.series_id = v_before)
       or exists (select from gapless.manifest m where m.series_id = v_before)
    then
        raise exception 'series % has blocks, proposals or manifests, so it keeps its id %; give the id % to '
                        'a new series of another name', quote_literal(p_name), v_before, p_series_id
            using errcode = 'GL014';
    end if;
    update gapless.series set series_id = p_series_id where series_id = v_before;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'series');
    if p_series_id > (select q.last_value from gapless.series_series_id_seq q) then
        -- Not setval(), which no rollback undoes.
        execute format('alter sequence gapless.series_series_id_seq restart with %s', p_series_id + 1);
    end if;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'series.identify', p_subject => p_name,
        p_before => jsonb_build_object('series_id', v_before),
        p_after => jsonb_build_object('series_id', p_series_id)
    );
end;
$$;
