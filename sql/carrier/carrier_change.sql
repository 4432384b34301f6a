-- carrier_change(p_code, p_lead_days, p_four_eyes, p_actor) -> nothing
--
-- Sets what is not null: how many calendar days pass from the order of a block to its letter (0 to 365),
-- and whether blocks are loaded by two people. Raises GL008 not-found, GL017 out-of-range. Needs scope
-- admin and a token for every series of the carrier (GL003, GL004: gapless.require_scope,
-- gapless.require_reach). Writes one audit row.
create or replace function gapless.carrier_change(
    p_code text, p_lead_days integer, p_four_eyes boolean, p_actor text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before gapless.carrier;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.require_reach(
        null, (select array_agg(s.name) from gapless.series s where s.carrier = p_code)
    );
    if (p_lead_days between 0 and 365) is false then
        raise exception 'lead days are 0 to 365, not %', p_lead_days using errcode = 'GL017';
    end if;
    select * into v_before from gapless.carrier c where c.code = p_code for update;
    if not found then
        raise exception 'there is no carrier %', quote_literal(p_code) using errcode = 'GL008';
    end if;
    update gapless.carrier c
    set lead_days = coalesce(p_lead_days, c.lead_days), four_eyes = coalesce(p_four_eyes, c.four_eyes)
    where c.code = p_code;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'carrier.change', p_subject => p_code,
        p_before => jsonb_build_object('lead_days', v_before.lead_days, 'four_eyes', v_before.four_eyes),
        p_after => jsonb_build_object(
            'lead_days', coalesce(p_lead_days, v_before.lead_days),
            'four_eyes', coalesce(p_four_eyes, v_before.four_eyes)
        )
    );
end;
$$;
