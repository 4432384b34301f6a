-- blocks_loaded() -> how many blocks there are, of all series, withdrawn ones too
--
-- They are never deleted: who counts twice knows whether somebody else loaded blocks in between. Takes no
-- lock.
create or replace function gapless.blocks_loaded() returns bigint
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select count(*) from gapless.block;
$$;
