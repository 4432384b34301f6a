-- seal_field(p_text) -> a text as it is hashed: its length in characters, then the text; -1 for null
--
-- So no text, whatever it contains, can be mistaken for the fields beside it.
create or replace function gapless.seal_field(p_text text) returns text
language sql
stable
as $$
    select concat_ws(' ', coalesce(length(p_text), -1), p_text);
$$;
