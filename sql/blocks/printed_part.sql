-- printed_part(p_series, p_first, p_last) -> the range of the printed numbers; null if not all digits
create or replace function gapless.printed_part(p_series gapless.series, p_first bigint, p_last bigint)
returns numrange
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select case
           when t.first || t.last ~ '^[0-9]+$'
               then numrange(
                   least(t.first::numeric, t.last::numeric), greatest(t.first::numeric, t.last::numeric), '[]'
               )
           end
    from (
        select gapless.format_number(p_series.program, p_first) as first,
               gapless.format_number(p_series.program, p_last) as last
    ) t;
$$;
