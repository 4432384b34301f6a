-- webhook_host(p_url) -> scheme, host and port, for the audit log: the rest of a URL may be a secret of
-- the receiver
create or replace function gapless.webhook_host(p_url text) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select regexp_replace(p_url, '^(https?://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2');
$$;
