-- verify_misfit(p_step, p_place, p_ordinal, p_numbers, p_allowed) -> findings about a step that does not fit
-- the state of some of its numbers (gapless.verify_events); p_ordinal is that of the first of p_numbers
create or replace function gapless.verify_misfit(
    p_step integer, p_place bigint, p_ordinal bigint, p_numbers bytea, p_allowed bytea
)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    with wrong as (
        select format('ordinal %s', p_ordinal + w.offset) as at,
               convert_from(substring(p_numbers from w.offset + 1 for 1), 'UTF8') as is_now,
               (array['held', 'confirmed', 'released', 'expired', 'confirmed', 'released', 'expired',
                      'reissued', 'printed', 'reprinted', 'voided', 'manifested', 'returned', 'found', 'free',
                      'held', 'printed', 'voided', 'manifested', 'returned'])[p_step] as named
        from (select length(p_numbers) - length(ltrim(p_numbers, p_allowed))) w ("offset")
    )
    select jsonb_agg(gapless.finding(w.at, case
               when p_step <= 4 then format('its hold says %s, but it did not leave on hold then', w.named)
               when p_step <= 7 and w.is_now in ('h', 'c', 'r', 'e')
                   then format('its history says %s, its hold does not', w.named)
               when p_step = 8 then 'a number was reissued while it was not free'
               when p_step <= 14
                   then format('from event %s on it is %s, which it could not become', p_place, w.named)
               else format('the history does not lead to the state %s there', w.named)
               end))
           || case when p_step > 4 and w.is_now in ('c', 'r', 'e') then jsonb_build_array(
               gapless.finding(
                   w.at,
                   format(
                       'its hold says %s, its history does not',
                       case w.is_now when 'c' then 'confirmed' when 'r' then 'released' else 'expired' end
                   )
               )
           )
              else '[]' end
    from wrong w
    group by w.at, w.is_now;
$$;
