-- series_identify(p_name, p_series_id, p_actor) -> nothing; gives a series the id that journals know it by
--
-- For a series that a restore took away and an operator has just created again: identity values are not given
-- out twice, not even those of a creation that failed, so it may have another id than before. Does nothing if
-- it has this one. Raises GL014 unless the database is fenced, if another series has the id, or once a block
-- was loaded; GL005 for an unknown series. Writes one audit row. Locks gapless.fence_order, so nobody creates
-- a series meanwhile.
create or replace function gapless.series_identify(p_name text, p_series_id integer, p_actor text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before  integer;
    v_arrived bigint;
begin
    if (select s.trouble is null from gapless.epoch_state() s) then
        raise exception 'the database is not fenced: there is nothing to reconcile' using errcode = 'GL014';
    end if;
    perform gapless.lock_fence_order();
    select s.series_id into v_before from gapless.series s where s.name = p_name for update;
    if not found then
        raise exception 'series % does not exist', quote_nullable(p_name) using errcode = 'GL005';
    end if;
    if v_before = p_series_id then
        return;
    end if;
    if exists (select from gapless.series s where s.series_id = p_series_id) then
        raise exception 'series % has the id %', quote_literal(gapless.series_name(p_series_id)), p_series_id
            using errcode = 'GL014';
    end if;
    if exists (select from gapless.block b where b.series_id = v_before) then
        raise exception 'series % has blocks, so it keeps its id', quote_literal(p_name)
            using errcode = 'GL014';
    end if;
    update gapless.series set series_id = p_series_id where series_id = v_before;
    get diagnostics v_arrived = row_count;
    perform gapless.expect_rows(v_arrived, 1, 'series');
    perform setval('gapless.series_series_id_seq', greatest(q.last_value, p_series_id))
    from gapless.series_series_id_seq q;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'series.identify', p_subject => p_name,
        p_before => jsonb_build_object('series_id', v_before),
        p_after => jsonb_build_object('series_id', p_series_id)
    );
end;
$$;
