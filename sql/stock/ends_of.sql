-- ends_of(p_written) -> gapless.moment_of for each, as an end (p_ends), in their order
create or replace function gapless.ends_of(p_written text[]) returns timestamptz[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select coalesce(array_agg(m.moment order by w.place), '{}')
        from unnest(p_written) with ordinality as w (written, place)
        left join (
            select d.written, gapless.moment_of(d.written, true) as moment
            from (select distinct unnest(p_written) as written) d
        ) m using (written)
    );
end;
$$;
