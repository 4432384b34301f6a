-- lease_told_twice(p_lease, p_ordinal, p_owner_id, p_key, p_actor) -> nothing; writes the audit row of a key
-- that was answered twice: with the issuance that owns it, and from a lease
create or replace function gapless.lease_told_twice(
    p_lease gapless.lease, p_ordinal bigint, p_owner_id integer, p_key uuid, p_actor text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_owns gapless.ledger;
begin
    select * into v_owns from gapless.ledger l where l.key = p_key and l.owner_id = p_owner_id;
    perform gapless.audit(
        p_actor => p_actor, p_action => 'lease.key_answered_twice',
        p_subject => gapless.series_name(p_lease.series_id), p_before => null,
        p_after => jsonb_build_object(
            'lease', p_lease.lease,
            'owner', (select o.name from gapless.token_owner o where o.owner_id = p_owner_id),
            'owns', jsonb_build_object(
                'series', gapless.series_name(v_owns.series_id), 'ordinal', v_owns.ordinal::text,
                'turn', v_owns.turn, 'number', gapless.number_at(v_owns.series_id, v_owns.ordinal)
            ),
            'twice', (
                select jsonb_build_object(
                    'series', gapless.series_name(k.series_id), 'ordinal', k.ordinal::text, 'turn', k.turn,
                    'number', gapless.number_at(k.series_id, k.ordinal), 'answered_at', k.answered_at
                )
                from gapless.lease_record k
                where k.series_id = p_lease.series_id and k.ordinal = p_ordinal
            )
        )
    );
end;
$$;
