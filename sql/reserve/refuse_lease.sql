-- refuse_lease(p_counter, p_low, p_count, p_lease_time) -> nothing; raises if a series may not put numbers on
-- lease now (gapless.lease_take), saying why
--
-- Without pg_read_all_stats the owner's session sees that a standby is connected, but not what it does. A
-- base backup or logical decoding is not a standby.
create or replace function gapless.refuse_lease(
    p_counter gapless.counter, p_low boolean, p_count bigint, p_lease_time interval
)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series  text := gapless.series_name(p_counter.series_id);
    v_trouble text;
begin
    if (p_count between 1 and 1000000) is not true or (p_lease_time > interval '0') is not true then
        raise exception 'a lease is of 1 to 1000000 numbers and lasts a while, not of % for %',
            coalesce(p_count::text, 'null'), coalesce(p_lease_time::text, 'null')
            using errcode = 'GL017';
    end if;
    select e.trouble into v_trouble from gapless.epoch_state() e;
    if p_counter.fenced or v_trouble is not null then
        raise exception 'the database is fenced: %; see: gapless epoch show', v_trouble
            using errcode = 'GL019';
    end if;
    if p_counter.paused then
        raise exception 'series % is paused', quote_literal(v_series) using errcode = 'GL011';
    end if;
    if p_low then
        raise exception 'series % is at its low water mark: what is left is for requests',
            quote_literal(v_series)
            using errcode = 'GL017';
    end if;
    if current_setting('synchronous_standby_names') = '' and exists (
        select
        from pg_stat_replication r
        where r.state is distinct from 'backup' and not exists (
            select from pg_replication_slots o where o.active_pid = r.pid and o.slot_type = 'logical'
        )
    ) then
        raise exception 'no standby is synchronous: a failover could forget a lease; set '
                        'synchronous_standby_names'
            using errcode = 'GL021';
    end if;
end;
$$;
