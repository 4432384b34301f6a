-- refuse_state(p_series_id, p_ordinal, p_state, p_to) -> never returns; raises GL018 for a number on lease,
-- saying where, else GL014; both name the number, its state and the wanted state
create or replace function gapless.refuse_state(
    p_series_id integer, p_ordinal bigint, p_state text, p_to text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lease record;
begin
    select * into v_lease from gapless.lease_at(p_series_id, p_ordinal);
    if found then
        raise exception 'number % is on lease at % since %; repeat later',
            gapless.number_at(p_series_id, p_ordinal), v_lease.host, gapless.moment(v_lease.since)
            using errcode = 'GL018';
    end if;
    if p_state = 'held' then
        raise exception 'number % is held, it cannot become %: confirm or release its hold first',
            gapless.number_at(p_series_id, p_ordinal), p_to
            using errcode = 'GL014';
    elsif p_state in ('manifested', 'returned') and p_to = 'voided' then
        raise exception 'number % is %, the carrier knows it: only force voids it',
            gapless.number_at(p_series_id, p_ordinal), p_state
            using errcode = 'GL014';
    end if;
    raise exception 'number % is %, it cannot become %', gapless.number_at(p_series_id, p_ordinal), p_state,
        p_to
        using errcode = 'GL014';
end;
$$;
