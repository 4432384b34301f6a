-- leases_recall(p_series_id, p_lease, p_actor) -> how many leases it recalled
--
-- Recalls open leases of that series, or that lease (each null: any), with one audit row each. Locks them in
-- the order of their places.
create or replace function gapless.leases_recall(p_series_id integer, p_lease uuid, p_actor text)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lease gapless.lease;
    v_count bigint := 0;
begin
    for v_lease in
        select * from gapless.lease l
        where l.status = 'open' and (p_series_id is null or l.series_id = p_series_id)
          and (p_lease is null or l.lease = p_lease)
        order by l.place
        for update
    loop
        update gapless.lease l set status = 'recalled' where l.lease = v_lease.lease;
        perform gapless.audit(
            p_actor => p_actor, p_action => 'lease.recall', p_subject => v_lease.lease::text,
            p_before => jsonb_build_object('status', v_lease.status),
            p_after => jsonb_build_object(
                'series', gapless.series_name(v_lease.series_id), 'status', 'recalled',
                'on_lease', to_jsonb(gapless.leases_told(v_lease.series_id, null, v_lease.lease))
            )
        );
        v_count := v_count + 1;
    end loop;
    return v_count;
end;
$$;
