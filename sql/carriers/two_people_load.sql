-- two_people_load(p_space) -> whether blocks of this number space are loaded by two people
--
-- As soon as one of its series is a carrier's who has it so: under another carrier's name one person would
-- load the same numbers. Takes no lock.
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
