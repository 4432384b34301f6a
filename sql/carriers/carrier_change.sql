-- carrier_change(p_code, p_lead_days, p_four_eyes, p_actor, p_contact) -> nothing
--
-- Sets what is not null: how many calendar days pass from the order of a block to its letter (0 to 365),
-- whether blocks are loaded by two people, and how to order one (1 to 500 characters; '' removes it).
-- Switching that off takes two people, too: the first one's request is recorded for 7 days, and another's
-- (gapless.acting_person) carries it out, with whatever else it sets; switching it on withdraws the request.
-- Raises GL008 not-found, GL017 out-of-range. Needs scope admin and a token for every series of the carrier
-- (GL003, GL004: gapless.require_scope, gapless.require_reach). Writes one audit row. Locks the carrier.
create or replace function gapless.carrier_change(
    p_code text, p_lead_days integer, p_four_eyes boolean, p_actor text, p_contact text default null
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_before gapless.carrier;
    v_after  gapless.carrier;
    v_person text;
    v_waits  boolean;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.require_reach(
        null, (select array_agg(s.name) from gapless.series s where s.carrier = p_code)
    );
    if (p_lead_days between 0 and 365) is false then
        raise exception 'lead days are 0 to 365, not %', p_lead_days using errcode = 'GL017';
    end if;
    if p_contact <> '' and (p_contact !~ '\S' or char_length(p_contact) > 500) then
        raise exception 'a contact has 1 to 500 characters' using errcode = 'GL017';
    end if;
    select * into v_before from gapless.carrier c where c.code = p_code for update;
    if not found then
        raise exception 'there is no carrier %; list them: gapless carrier list', quote_literal(p_code)
            using errcode = 'GL008';
    end if;
    v_person := gapless.acting_person();
    v_waits := v_before.four_eyes and p_four_eyes is false
        and (v_before.four_eyes_off_by <> v_person and v_before.four_eyes_off_until > now()) is not true;
    update gapless.carrier c
    set lead_days = case when v_waits then c.lead_days else coalesce(p_lead_days, c.lead_days) end,
        contact = case when v_waits then c.contact else nullif(coalesce(p_contact, c.contact), '') end,
        four_eyes = v_waits or coalesce(p_four_eyes, c.four_eyes),
        four_eyes_off_by = case
            when v_waits then v_person
            when p_four_eyes is null then c.four_eyes_off_by
        end,
        four_eyes_off_until = case
            when v_waits then now() + interval '7 days'
            when p_four_eyes is null then c.four_eyes_off_until
        end
    where c.code = p_code
    returning * into v_after;
    perform gapless.audit(
        p_actor => p_actor, p_action => case when v_waits then 'carrier.propose' else 'carrier.change' end,
        p_subject => p_code, p_before => to_jsonb(v_before) - '{code,created_at}'::text[],
        p_after => to_jsonb(v_after) - '{code,created_at}'::text[]
    );
end;
$$;
