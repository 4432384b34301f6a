-- append_only() -> trigger on the tables of record: refuses UPDATE, DELETE and TRUNCATE, even for the owner
--
-- Raises 42501. Never fires on INSERT, so it costs issuing nothing. The triggers list their events in
-- PostgreSQL's own order, so that a migration sees no difference.
create or replace function gapless.append_only() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception '% is append-only: % is refused', tg_table_schema || '.' || tg_table_name, lower(tg_op)
        using errcode = 'insufficient_privilege';
end;
$$;

create or replace trigger ledger_is_append_only before delete or truncate on gapless.ledger
    for each statement execute function gapless.append_only(); -- UPDATE: gapless.ledger_forgets
create or replace trigger issuance_is_append_only before delete or update or truncate on gapless.issuance
    for each statement execute function gapless.append_only();
create or replace trigger number_event_is_append_only
    before delete or update or truncate on gapless.number_event
    for each statement execute function gapless.append_only();
create or replace trigger manifest_is_append_only before delete or update or truncate on gapless.manifest
    for each statement execute function gapless.append_only();
create or replace trigger manifest_part_is_append_only
    before delete or update or truncate on gapless.manifest_part
    for each statement execute function gapless.append_only();
create or replace trigger audit_log_is_append_only before delete or update or truncate on gapless.audit_log
    for each statement execute function gapless.append_only();
create or replace trigger seal_is_append_only before delete or update or truncate on gapless.seal
    for each statement execute function gapless.append_only();
create or replace trigger epoch_is_append_only before delete or update or truncate on gapless.epoch
    for each statement execute function gapless.append_only();
create or replace trigger epoch_place_is_append_only
    before delete or update or truncate on gapless.epoch_place
    for each statement execute function gapless.append_only();
create or replace trigger fence_is_append_only before delete or update or truncate on gapless.fence
    for each statement execute function gapless.append_only();
create or replace trigger epoch_move_is_append_only before delete or update or truncate on gapless.epoch_move
    for each statement execute function gapless.append_only();
create or replace trigger epoch_journal_is_append_only
    before delete or update or truncate on gapless.epoch_journal
    for each statement execute function gapless.append_only();
create or replace trigger lease_record_is_append_only
    before delete or update or truncate on gapless.lease_record
    for each statement execute function gapless.append_only();
create or replace trigger lease_conflict_is_append_only
    before delete or update or truncate on gapless.lease_conflict
    for each statement execute function gapless.append_only();
create or replace trigger lease_stays before delete or truncate on gapless.lease
    for each statement execute function gapless.append_only();
create or replace trigger instance_stays before delete or truncate on gapless.instance
    for each statement execute function gapless.append_only();
create or replace trigger token_owner_is_append_only
    before delete or update or truncate on gapless.token_owner
    for each statement execute function gapless.append_only(); -- a forgotten owner's keys would issue again
create or replace trigger block_stays before delete or truncate on gapless.block
    for each statement execute function gapless.append_only();
create or replace trigger proposal_stays before delete or truncate on gapless.proposal
    for each statement execute function gapless.append_only();
create or replace trigger series_stays before delete or truncate on gapless.series
    for each statement execute function gapless.append_only();
create or replace trigger counter_stays before delete or truncate on gapless.counter
    for each statement execute function gapless.append_only();
