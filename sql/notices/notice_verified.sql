-- notice_verified(p_findings, p_chain) -> nothing; takes how many findings a verification of every series
-- had, and whether it included the chains
--
-- Writes verify.finding the first time, and again only after a verification of at least the same extent found
-- nothing. Does nothing on a standby or in a read-only transaction.
create or replace function gapless.notice_verified(p_findings bigint, p_chain boolean default false)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_extent integer := case when p_chain then 2 else 1 end;
    v_told   bigint;
    v_found  gapless.notice_state[] := '{}';
begin
    if current_setting('transaction_read_only') = 'on' then
        return;
    end if;
    select k.mark into v_told from gapless.alert_state k where k.kind = 'verify.finding';
    if p_findings > 0 then
        v_found := array[row(
            'verify.finding', 0, coalesce(v_told, v_extent), null, null,
            jsonb_build_object('findings', p_findings)
        )::gapless.notice_state];
    elsif v_told > v_extent then
        return;
    end if;
    perform gapless.notice_cross(array['verify.finding'], null, v_found);
end;
$$;
