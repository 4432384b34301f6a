-- key_is_spent(p_owner_id, p_key) -> whether this owner has an issuance with this key
create or replace function gapless.key_is_spent(p_owner_id integer, p_key uuid) returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select exists (select from gapless.ledger l where l.key = p_key and l.owner_id = p_owner_id);
$$;
