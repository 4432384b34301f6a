-- webhook_secret_text(p_secret) -> a secret as receivers expect it: whsec_ and base64, as in Standard
-- Webhooks
create or replace function gapless.webhook_secret_text(p_secret bytea) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select 'whsec_' || encode(p_secret, 'base64');
$$;
