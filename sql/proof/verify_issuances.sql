-- verify_issuances(p_series_id, p_continued) -> findings about issuances of several ranges
--
-- Each names ranges that exist, belong to it and add up to the requested count, and every range that
-- continues an issuance (the ledger has p_continued of them) belongs to one.
create or replace function gapless.verify_issuances(p_series_id integer, p_continued bigint) returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off -- row estimates are far too high, and compiling takes a second
as $$
declare
    v_findings jsonb;
    v_named    bigint;
begin
    with issuance as (
        select s.turn, s.ordinal, s.count, s.contiguous, count(*) as named,
               coalesce(sum(l.count), 0) as found,
               bool_and(case r.k
                   when 1 then l.key is not null and (r.turn, r.ordinal) = (s.turn, s.ordinal)
                   else (l.head_turn, l.head_ordinal) is not distinct from (s.turn, s.ordinal)
               end) as together
        from gapless.issuance s
        cross join lateral unnest(s.range_turns, s.range_ordinals) with ordinality as r (turn, ordinal, k)
        left join gapless.ledger l on l.series_id = s.series_id and l.turn = r.turn and l.ordinal = r.ordinal
        where s.series_id = p_series_id
        group by s.turn, s.ordinal, s.count, s.contiguous
    ), wrong as (
        select i.*, case
               when i.count <> i.found
                   then format('asked for %s numbers, its ranges hold %s', i.count, i.found)
               when not i.together then 'names ranges that do not belong to it'
               when i.contiguous and i.named > 1 then format('asked for one range, it has %s', i.named)
               end as what
        from issuance i
    )
    select coalesce(sum(w.named - 1), 0),
           coalesce(
               jsonb_agg(
                   gapless.finding(format('ordinal %s', w.ordinal), 'the issuance there ' || w.what)
                       order by w.ordinal
               ) filter (where w.what is not null),
               '[]'
           )
    into v_named, v_findings
    from wrong w;

    if v_named <> p_continued then
        v_findings := v_findings || gapless.finding('issuances',
            format('%s ranges continue an issuance, but issuances name %s', p_continued, v_named));
    end if;
    return v_findings;
end;
$$;
