-- require_secret(p_instance, p_secret) -> nothing
--
-- Raises GL004 unless this is the secret of that instance, which only its journal of leases has: all
-- instances share the role of the service, and none may act for another one's leases. Takes no lock.
create or replace function gapless.require_secret(p_instance uuid, p_secret bytea) returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (
        select from gapless.instance i where i.instance = p_instance and i.secret_hash = sha256(p_secret)
    ) then
        raise exception 'that is not the secret of instance %, which its journal of leases has; an '
                        'administrator settles without it: gapless lease recover FILE',
            p_instance
            using errcode = 'GL004';
    end if;
end;
$$;
