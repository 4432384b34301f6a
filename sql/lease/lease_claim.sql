-- lease_claim(p_instance, p_incarnation, p_claim, p_host) -> outcome claimed or copy, and the incarnation of
-- the instance
--
-- Before the leases of a journal are used: it has to be at the incarnation that the database knows, which
-- then becomes one more. A new instance has none, which is 0, and gets 1. A claim whose answer was lost is
-- repeated with its p_claim and changes nothing more. copy: of the journal there is a later one, or the
-- database was put back; incarnation: the database's, 0 where it knows no such instance. Locks the instance.
create or replace function gapless.lease_claim(
    p_instance uuid, p_incarnation integer, p_claim uuid, p_host text
)
returns table (outcome text, incarnation integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_instance gapless.instance;
begin
    if p_instance is null or p_claim is null or coalesce(p_host, '') = '' then
        raise exception 'a claim names an instance, itself and a host' using errcode = 'GL001';
    end if;
    if p_incarnation = 0 then
        insert into gapless.instance (instance, incarnation, claim, host) values (
            p_instance, 1, p_claim, p_host
        ) on conflict do nothing;
    end if;
    select * into v_instance from gapless.instance i where i.instance = p_instance for update;
    if v_instance.claim is distinct from p_claim and v_instance.incarnation = p_incarnation then
        update gapless.instance i
        set incarnation = i.incarnation + 1, claim = p_claim, host = p_host, contact = clock_timestamp()
        where i.instance = p_instance
        returning * into v_instance;
    end if;
    outcome := case when v_instance.claim = p_claim then 'claimed' else 'copy' end;
    incarnation := coalesce(v_instance.incarnation, 0);
    return next;
end;
$$;
