-- issue_rate(p_series_id) -> numbers a day over the last 28 days, or since the first one left; null when none left
--
-- Looks up two ledger rows: the first of that time, found by halving (times follow ordinals closely enough for a forecast), and the last.
create or replace function gapless.issue_rate(p_series_id integer) returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_next  bigint;
    v_from  bigint;
    v_since timestamptz;
begin
    select c.next_ordinal into v_next from gapless.counter c where c.series_id = p_series_id;
    v_from := gapless.ordinal_at(p_series_id, now() - interval '28 days');
    select l.issued_at into v_since from gapless.ledger l where l.series_id = p_series_id and l.turn = 0 and l.ordinal >= v_from order by l.ordinal limit 1;
    if v_since is null then
        return null;
    end if;
    return round((v_next - v_from) / greatest(extract(epoch from now() - v_since) / 86400, 1.0 / 24), 1);
end;
$$;
