-- issued_under(p_series, p_reference) -> whether numbers of a series were issued under this reference
create or replace function gapless.issued_under(p_series text, p_reference text) returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
    select exists (
        select
        from gapless.ledger l
        join gapless.series s using (series_id)
        where s.name = p_series and l.reference = p_reference
    );
$$;
