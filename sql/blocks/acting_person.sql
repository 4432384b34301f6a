-- acting_person() -> who acts, where two people have to agree
--
-- For a token its person: its name, or the person of the token through which it was made, since whoever has
-- that one may make as many as he likes. Else the role that logged in (session_user: a function of the
-- owner's runs as him): the actor is the client's word, and two words may be those of one person.
-- gapless.require_scope comes first.
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
