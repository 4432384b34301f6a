-- webhook_host_name(p_url) -> the host, normalized and without a port, by which deliveries are limited
create or replace function gapless.webhook_host_name(p_url text) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select rtrim(lower(substring(p_url from '^https?://(?:[^/?#]*@)?(\[[^]]*\]|[^/?#:]*)')), '.');
$$;
