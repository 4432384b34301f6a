-- webhook_wants(p_kinds, p_names, p_kind, p_name) -> whether a webhook for these kinds and series (each
-- null: all) gets a notice of that kind and series (null: none); inlined
create or replace function gapless.webhook_wants(p_kinds text[], p_names text[], p_kind text, p_name text)
returns boolean
language sql
immutable
parallel safe
as $$
    select (p_kinds is null or p_kind = any (p_kinds))
        and (p_names is null or (p_name = any (p_names)) is true);
$$;
