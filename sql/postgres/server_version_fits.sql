-- server_version_fits(p_number) -> whether gapless supports this PostgreSQL; p_number as server_version_num
-- shows it: 150020
--
-- The minor versions are those of 2026-11-12, which fixed serializable INSERT … ON CONFLICT; 18.6, like
-- 15.19, is from August.
create or replace function gapless.server_version_fits(p_number integer) returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    select exists (select from (values (15, 20), (16, 16), (17, 12), (18, 7)) least (major, minor)
                   where p_number / 10000 = least.major and p_number % 10000 >= least.minor);
$$;
