-- audit_event(p_series_id, p_kind, p_numbers, p_actor, p_reason) -> nothing; writes one audit row for each
-- block that has some of these issued ordinals
create or replace function gapless.audit_event(
    p_series_id integer, p_kind text, p_numbers int8multirange, p_actor text, p_reason text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off -- reading other blocks would conflict with opening them
as $$
declare
    v_part record;
begin
    for v_part in
        select b.block_id, p_numbers * int8multirange(b.ordinals) as numbers
        from (
            select b.block_id,
                   int8range(b.first_ordinal, lead(b.first_ordinal) over (
                       -- a block closed before its first number was issued has the next block's ordinal
                       order by b.first_ordinal,
                                coalesce(b.closed_serial, b.last_serial + 1) > b.first_serial
                   )) as ordinals
            from gapless.block b
            where b.series_id = p_series_id and b.first_ordinal <= upper(p_numbers)
              and b.first_ordinal >= (
                  select max(f.first_ordinal) from gapless.block f
                  where f.series_id = p_series_id and f.first_ordinal <= lower(p_numbers)
              )
        ) b
        where p_numbers && int8multirange(b.ordinals)
    loop
        perform gapless.audit(
            p_actor => p_actor, p_action => 'number.' || p_kind,
            p_subject => format('%s/%s', gapless.series_name(p_series_id), v_part.block_id),
            p_before => null,
            p_after => jsonb_build_object(
                'first', gapless.number_at(p_series_id, lower(v_part.numbers)),
                'last', gapless.number_at(p_series_id, upper(v_part.numbers) - 1),
                'numbers', gapless.size_of(v_part.numbers)::text, 'reason', nullif(btrim(p_reason), ''))
        );
    end loop;
end;
$$;
