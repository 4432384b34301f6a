-- acting_person() -> the person who acts, where two people have to agree
--
-- For a token: its name, or the person of the token through which it was created, since whoever has that one
-- can create as many as they like. Otherwise the role that logged in (session_user, since a SECURITY DEFINER
-- function runs as the owner): the client chooses the actor, and one person may use two names. Call
-- gapless.require_scope first.
create or replace function gapless.acting_person() returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (select o.name from gapless.token_owner o where o.owner_id = (gapless.acting_token()).person_id),
        'role:' || session_user
    );
$$;
