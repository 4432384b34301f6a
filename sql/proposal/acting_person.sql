-- acting_person(p_actor) -> who acts, where two people have to agree: the token's owner, else the role
--
-- p_actor is what gapless.require_scope said. Without a token it is the client's word, and two words may be
-- those of one person; the role that logged in is not (session_user: a function of the owner's runs as him).
create or replace function gapless.acting_person(p_actor text) returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select case
           when coalesce(current_setting('gapless.token_id', true), '') = '' then 'role:' || session_user
           else p_actor
           end;
$$;
