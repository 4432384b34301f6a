-- two_people_load(p_space) -> whether blocks of this number space must be loaded by two people
--
-- True as soon as one of its series belongs to a carrier that requires it: otherwise one person could load
-- the same numbers under another carrier's name. Takes no lock.
create or replace function gapless.two_people_load(p_space text) returns boolean
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (
        select
        from gapless.series s
        join gapless.carrier c on c.code = s.carrier
        where s.space = p_space and c.four_eyes
    );
end;
$$;
