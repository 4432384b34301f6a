-- verify_guards() -> findings about the constraints and triggers that refuse gaps and doubles
--
-- While one of them was dropped or switched off, anything could have been written: a key spent twice leaves no
-- other trace.
create or replace function gapless.verify_guards() returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    with expected (kind, place, name) as (
        values ('constraint', 'ledger', 'key_is_spent_once'),
               ('constraint', 'ledger', 'range_starts_once'),
               ('constraint', 'block', 'blocks_of_a_space_do_not_overlap'),
               ('constraint', 'counter', 'counter_ends_with_its_block'),
               ('trigger', 'ledger', 'range_continues_the_ledger'),
               ('trigger', 'ledger', 'ledger_is_append_only'),
               ('trigger', 'number_event', 'number_event_is_append_only'),
               ('trigger', 'issuance', 'issuance_is_append_only'),
               ('constraint', 'tally', 'tallies_are_not_negative'),
               ('constraint', 'number_state', 'numbers_stay_in_their_chunk'),
               ('trigger', 'counter', 'counter_stays'),
               ('trigger', 'series', 'series_stays'),
               ('trigger', 'audit_log', 'audit_log_is_append_only'),
               ('trigger', 'epoch', 'epoch_is_append_only'),
               ('trigger', 'seal', 'seal_is_append_only'),
               ('trigger', 'fence', 'fence_is_append_only'),
               ('trigger', 'token_owner', 'token_owner_is_append_only'),
               ('trigger', 'manifest', 'manifest_is_append_only'),
               ('trigger', 'manifest_part', 'manifest_part_is_append_only'),
               ('trigger', 'counter', 'counter_follows_the_ledger'),
               ('trigger', 'counter', 'counter_opens_block'),
               ('trigger', 'block', 'block_keeps_its_bounds'),
               ('trigger', 'block', 'block_stays')
    )
    select coalesce(jsonb_agg(gapless.finding(
        'guards', format('the %s %s of gapless.%s is gone or switched off', e.kind, e.name, e.place)
    ) order by e.place, e.name), '[]')
    from expected e
    where case e.kind
        when 'constraint' then not exists (
            select from pg_constraint c
            where c.conrelid = to_regclass('gapless.' || e.place) and c.conname = e.name and c.convalidated
        )
        else not exists (
            select from pg_trigger t
            where t.tgrelid = to_regclass('gapless.' || e.place) and t.tgname = e.name and t.tgenabled in ('O', 'A')
        )
    end;
$$;
