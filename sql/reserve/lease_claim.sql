-- lease_claim(p_instance, p_secret, p_incarnation, p_claim, p_host) -> outcome (claimed or copy) and the
-- instance's incarnation
--
-- Must be called before the leases of a journal are used. The journal must have the instance's secret and be
-- at the incarnation that the database knows, which then rises by one. A new instance claims with incarnation
-- 0 and gets 1; the database keeps a hash of its secret. An instance without a hash, from before there were
-- secrets, takes the secret of the first claim at its incarnation, with an audit row. A claim whose answer
-- was lost can be repeated with the same p_claim and changes nothing more. copy: another copy of the journal
-- claimed since, its secret differs, or the database was restored; incarnation is then the database's, 0 if
-- it does not know the instance. Raises GL001 if an argument is missing. Locks the instance.
create or replace function gapless.lease_claim(
    p_instance uuid, p_secret bytea, p_incarnation integer, p_claim uuid, p_host text
)
returns table (outcome text, incarnation integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_hash     bytea := sha256(p_secret);
    v_instance gapless.instance;
    v_proven   boolean;
begin
    if p_instance is null or p_claim is null or coalesce(p_host, '') = ''
       or (octet_length(p_secret) = 32) is not true
    then
        raise exception 'a claim names an instance, its secret of 32 bytes, itself and a host'
            using errcode = 'GL001';
    end if;
    if p_incarnation = 0 then
        insert into gapless.instance (instance, incarnation, claim, secret_hash, host) values (
            p_instance, 1, p_claim, v_hash, p_host
        ) on conflict do nothing;
    end if;
    select * into v_instance from gapless.instance i where i.instance = p_instance for update;
    v_proven := coalesce(v_instance.secret_hash, v_hash) = v_hash;
    if v_proven and v_instance.claim is distinct from p_claim and v_instance.incarnation = p_incarnation then
        if v_instance.secret_hash is null then
            perform gapless.audit(
                p_actor => format('lease:%s at %s', p_instance, p_host),
                p_action => 'lease.secret_set', p_subject => p_instance::text, p_before => null,
                p_after => jsonb_build_object('host', p_host, 'incarnation', p_incarnation + 1)
            );
        end if;
        update gapless.instance i
        set incarnation = i.incarnation + 1, claim = p_claim, secret_hash = v_hash, host = p_host,
            contact = clock_timestamp()
        where i.instance = p_instance
        returning * into v_instance;
    end if;
    outcome := case
        when v_instance.claim = p_claim and v_instance.secret_hash = v_hash then 'claimed'
        else 'copy'
        end;
    incarnation := coalesce(v_instance.incarnation, 0);
    return next;
end;
$$;
