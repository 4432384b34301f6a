-- acts_as_owner() -> whether the session is the owner's: his, a superuser's, or a member's of his role
--
-- session_user counts: a function of the owner's runs as the owner. He can do by hand what a function keeps
-- roles of gapless from.
create or replace function gapless.acts_as_owner() returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(
        session_user, (select n.nspowner from pg_namespace n where n.nspname = 'gapless'), 'member'
    );
$$;
