-- issuance_name(p_series_id, p_turn, p_ordinal) -> the id by which clients know the issuance that begins
-- there (the rule is in src/issuing/issuance_id.hpp). An issuance answered from a lease has another id.
create or replace function gapless.issuance_name(p_series_id integer, p_turn integer, p_ordinal bigint)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select case when p_turn > 0 then '9' || length(p_turn::text) || p_turn else '' end
        || length(p_series_id::text) || p_series_id || p_ordinal;
$$;
