-- seal_origin(p_series_id) -> the hash that precedes the first link: of the series' identity and fixed
-- properties
--
-- Aggregates even single rows, so that tampered tables give another hash, not an error. In plpgsql, which
-- keeps the plan for the session.
create or replace function gapless.seal_origin(p_series_id integer) returns bytea
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    return (
        select sha256(convert_to(concat_ws(
            ' ', 'gapless',
            (select string_agg(e.database_id::text, ' ') from gapless.epoch e where e.epoch = 1), p_series_id
        ) || e'\n' || coalesce(string_agg(concat_ws(
            ' ', extract(epoch from s.created_at), gapless.seal_field(s.name), gapless.seal_field(s.carrier),
            gapless.seal_field(s.space), gapless.seal_field(s.format), gapless.seal_field(s.params::text),
            gapless.seal_field(s.program::text)
        ) || e'\n', ''), ''), 'UTF8'))
        from gapless.series s
        where s.series_id = p_series_id
    );
end;
$$;
