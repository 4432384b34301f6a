-- require_incarnation(p_instance, p_secret, p_incarnation) -> nothing
--
-- Raises GL004 for another secret than the instance's (gapless.require_secret), GL014 unless this incarnation
-- claimed the instance last: any other runs on a copy of its journal, and may only settle. Locks the instance
-- against claims until COMMIT, but not against gapless.lease_renew.
create or replace function gapless.require_incarnation(
    p_instance uuid, p_secret bytea, p_incarnation integer
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_incarnation integer;
begin
    select i.incarnation into v_incarnation
    from gapless.instance i
    where i.instance = p_instance
    for key share;
    if found then
        perform gapless.require_secret(p_instance, p_secret);
    end if;
    if v_incarnation is distinct from p_incarnation then
        raise exception 'this is a copy of instance %: it is at incarnation %, the database at %; a copy '
                        'may settle what it answered, never draw or return',
            p_instance, p_incarnation, coalesce(v_incarnation, 0)
            using errcode = 'GL014';
    end if;
end;
$$;
