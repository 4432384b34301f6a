-- acts_as_owner() -> whether the session is of the owner, a superuser or a member of the owner's role
--
-- session_user decides, since a SECURITY DEFINER function runs as the owner. The owner can do by hand what
-- functions deny the roles of gapless.
create or replace function gapless.acts_as_owner() returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select pg_has_role(
        session_user, (select n.nspowner from pg_namespace n where n.nspname = 'gapless'), 'member'
    );
$$;
