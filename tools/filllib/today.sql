-- today(p_name, p_open) -> nothing; what is on the table of a series in the middle of its day, by the functions of the product
--
-- 60 issuances of 1 to 6 numbers, of which 40 are held for 30 days: of these 10 confirmed, 10 released, 20 open. Some printed, not reported
-- yet. p_free: what was released waits; otherwise it is issued again. Done once: a series with open holds is left as it is.
create function pg_temp.today(p_name text, p_free boolean) returns void
language plpgsql
as $$
declare
    v_series integer := (select s.series_id from gapless.series s where s.name = p_name);
    v_owner  integer := gapless.owner_id('token:fill');
    v_keys   uuid[] := array(select gen_random_uuid() from generate_series(1, 60));
    v_plain  bigint;
    v_row    record;
begin
    if exists (select from gapless.hold h where h.series_id = v_series and not isempty(h.held)) then
        return;
    end if;
    perform from gapless.issue_requests(
        v_series, array(select 1 + n % 6 from generate_series(1, 60) as n), array_fill(v_owner, array[60]), v_keys,
        array(select 'today-' || n from generate_series(1, 60) as n), array_fill(false, array[60]), false,
        array(select case when n <= 40 then 30 * 86400 end from generate_series(1, 60) as n));
    for v_row in
        select h.turn, h.ordinal, row_number() over (order by h.turn, h.ordinal) as place
        from gapless.hold h where h.series_id = v_series and not isempty(h.held)
    loop
        if v_row.place <= 20 then
            perform gapless.hold_settle(v_series, v_row.turn, v_row.ordinal, null, v_row.place <= 10, 'fill');
        end if;
    end loop;
    select l.ordinal into strict v_plain from gapless.ledger l where l.key = v_keys[50] and l.owner_id = v_owner;
    perform gapless.note_event(v_series, 'printed', int8multirange(int8range(v_plain, v_plain + 1)), 'fill', null, false);
    if not p_free then
        perform gapless.issue_requests(
            v_series, array[c.waiting::integer], array[v_owner], array[gen_random_uuid()], array[null::text], array[false], false)
        from gapless.counter c where c.series_id = v_series and c.waiting > 0;
    end if;
end;
$$;
