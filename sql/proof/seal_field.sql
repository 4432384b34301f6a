-- seal_field(p_text) -> a text as it stands in what is hashed: its length in characters, then itself; -1 for
-- null
--
-- So that no text, whatever is in it, reads like the fields beside it.
create or replace function gapless.seal_field(p_text text) returns text
language sql
stable
as $$
    select concat_ws(' ', coalesce(length(p_text), -1), p_text);
$$;
