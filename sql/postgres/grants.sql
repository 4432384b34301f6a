-- grants() -> who may call what; applied after every object
--
-- gapless_service runs the functions the service needs and sees no table; gapless_app issues and reads;
-- gapless_admin also creates, loads and revokes; gapless_audit reads everything. Nobody else may do anything.
-- Functions that change anything but issue also require a token with the scope (gapless.require_scope), so
-- that gapless_service does for nobody what they may not do.
do $$
declare
    v_role text;
begin
    foreach v_role in array array['gapless_service', 'gapless_app', 'gapless_admin', 'gapless_audit'] loop
        if not exists (select from pg_roles r where r.rolname = v_role) then
            begin
                execute format('create role %I nologin', v_role);
            exception when duplicate_object or unique_violation then
                null; -- another database of this server is being migrated right now
            end;
        end if;
    end loop;
end;
$$;

revoke all on schema gapless from public;
revoke all on all tables in schema gapless
    from public, gapless_service, gapless_app, gapless_admin, gapless_audit;
-- Not from superseded functions: a session that has already planned a call may still make it.
do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid
        from pg_proc p
        where p.pronamespace = 'gapless'::regnamespace and p.proname !~ '_before_[0-9]+$'
    loop
        execute format(
            'revoke all on function %s '
            'from public, gapless_service, gapless_app, gapless_admin, gapless_audit', v_function);
    end loop;
end;
$$;
grant usage on schema gapless to gapless_service, gapless_app, gapless_admin, gapless_audit;

grant select on all tables in schema gapless to gapless_audit;
revoke select on gapless.token, gapless.answered_request, gapless.webhook from gapless_audit; -- secrets

grant execute on function
    gapless.series_report(text, text[]),
    gapless.series_page(text[], text, text, text, text, integer),
    gapless.block_report(text, integer, bigint, bigint), gapless.blocks_loaded(),
    gapless.carrier_report(text, text[]),
    gapless.block_warnings(text, bigint[], bigint[], timestamptz[], bigint[]),
    gapless.proposal_report(text[], integer, integer, integer, text), gapless.proposal_warnings(integer),
    gapless.verify(text), gapless.verify_series(integer), gapless.verify_all(),
    gapless.issuance_report(integer, integer, bigint), gapless.issuance_ranges(integer, integer, bigint),
    gapless.health(), gapless.health_checks(integer, interval), gapless.sql_states(), gapless.interface()
to gapless_service, gapless_app, gapless_admin, gapless_audit;

grant execute on function gapless.schema_differences() to gapless_admin, gapless_audit;

grant execute on function gapless.environment_name(), gapless.series_ids(), gapless.time_zone(),
    gapless.day_of(timestamptz), gapless.moment_of(text, boolean), gapless.ends_of(text[]),
    gapless.epoch_state(), gapless.epoch_marks(), gapless.voided_epoch(),
    gapless.issued_since(timestamptz)
to gapless_service, gapless_app, gapless_admin, gapless_audit;

grant execute on function gapless.seal(integer, bigint) to gapless_service, gapless_admin;
grant execute on function
    gapless.unsealed(), gapless.seal_heads(), gapless.seal_text(integer, text, bigint, bigint, bigint),
    gapless.verify_chain(integer), gapless.verify_anchors(jsonb)
to gapless_service, gapless_admin, gapless_audit;

grant execute on function gapless.fence_begin(text, text) to gapless_service;
grant execute on function gapless.fence_raise(text, text) to gapless_service, gapless_admin;
grant execute on function gapless.epoch_follow(text, text), gapless.epoch_join(uuid, text) to gapless_service;
grant execute on function
    gapless.epoch_move_report(), gapless.recovered_answers(integer, bigint[], bigint[])
to gapless_admin, gapless_audit;
grant execute on function gapless.epoch_prepare_move(text, text),
    gapless.epoch_complete_move(integer, text, jsonb, text) to gapless_admin;
grant execute on function
    gapless.erasable_references(text, timestamptz, text),
    gapless.erasure_begin(text, timestamptz, text, text, text),
    gapless.erase_references(bigint, text, integer, bigint, integer)
to gapless_admin;
grant execute on function gapless.clock_accept(text),
    gapless.environment_set(text, text), gapless.series_ids_set(integer, text),
    gapless.series_identify(text, integer, text),
    gapless.time_zone_set(text, text),
    gapless.epoch_propose(integer, text, jsonb, text), gapless.epoch_open(integer, text, jsonb, text),
    gapless.epoch_fill(integer, bigint, boolean, text, text, bigint), gapless.epoch_room(integer),
    gapless.epoch_void_again(integer, bigint, timestamptz, integer, timestamptz, text, text)
to gapless_admin;

grant execute on function gapless.issue(text, bigint, text, text),
    gapless.issue(text, bigint, uuid, text), gapless.issue(text, uuid),
    gapless.issue_ranges(text, bigint, text, text, integer, boolean)
to gapless_service, gapless_app, gapless_admin;

grant execute on function
    gapless.issue_plain_many(
        integer[], bigint[], integer[], bigint[], integer[], integer[], uuid[], text[], boolean, integer, oid,
        bigint[], integer[]
    ),
    gapless.issue_plain(
        integer, bigint[], integer[], integer[], uuid[], text[], boolean, integer[], boolean, timestamptz,
        integer, oid, bigint, integer
    ),
    gapless.issue_requests(
        integer, integer[], integer[], uuid[], text[], boolean[], boolean, integer[], boolean, integer, oid,
        bigint, integer
    ),
    gapless.answer_find(integer, text, bytea), gapless.answer_keep(integer, text, bytea, integer, text, text),
    gapless.quota_reserve(integer, bigint, bigint), gapless.quota_return(integer, integer, bigint),
    gapless.key_is_spent(integer, uuid), gapless.series_blocker(integer),
    gapless.answers_expire(interval, integer), gapless.clock_look(timestamptz, interval)
to gapless_service;

grant execute on function
    gapless.series_create(text, text, text, text, jsonb, text, text, bigint, text, text, jsonb, bigint),
    gapless.series_change(text, jsonb, integer, text),
    gapless.load_lock(text, boolean, text),
    gapless.block_load(text, bigint, bigint, numeric, text, timestamptz, text, bigint),
    gapless.block_load_many(text, bigint[], bigint[], text[], timestamptz[], text),
    gapless.block_preview(text, bigint[], bigint[], bigint[], timestamptz[], text),
    gapless.block_move(integer, integer, text), gapless.block_close(integer, text, text),
    gapless.block_withdraw(integer, text, text), gapless.block_recall(integer, text, text),
    gapless.proposal_make(text, bigint[], bigint[], bigint[], text[], timestamptz[], text),
    gapless.proposal_confirm(integer, text), gapless.proposal_reject(integer, text),
    gapless.carrier_change(text, integer, boolean, text, text), gapless.two_people_load(text),
    gapless.space_of(text)
to gapless_service, gapless_admin;

grant execute on function gapless.token_identify(integer, bytea) to gapless_service;

grant execute on function
    gapless.token_create(text, bytea, text[], text[], timestamptz, text, integer, integer, bigint),
    gapless.token_revoke(integer, text), gapless.token_page(integer, integer, integer),
    gapless.audit_page(
        text, text, timestamptz, timestamptz, bigint, integer, text, text, integer
    )
to gapless_service, gapless_admin;
grant execute on function gapless.token_report(integer) to gapless_admin;

grant execute on function
    gapless.number_report(integer, bigint), gapless.number_history(integer, bigint),
    gapless.series_settings(text), gapless.format_report(text),
    gapless.ledger_page(
        integer, bigint, integer, text, timestamptz, timestamptz, integer, integer, integer, boolean, bigint
    ),
    gapless.state_ranges(integer, bigint, bigint), gapless.manifest_ranges(text, date),
    gapless.lease_record_of(integer, bigint),
    gapless.manifest_count(text, date), gapless.day_report(integer, date), gapless.issued_under(text, text),
    gapless.ordinals_between(integer, bigint, bigint, bigint),
    gapless.issued_between(integer, timestamptz, timestamptz), gapless.replacements_of(integer, bigint[]),
    gapless.format_number(jsonb, bigint), gapless.ordinals_of(integer, bigint[], bigint[])
to gapless_service, gapless_app, gapless_admin, gapless_audit;

grant execute on function
    gapless.note_event(integer, text, int8multirange, text, text, boolean),
    gapless.hold_settle(integer, integer, bigint, int8multirange, boolean, text),
    gapless.sweep(integer), gapless.consumption_gather(integer), gapless.format_declare(text, jsonb, text),
    gapless.manifest_close(text, date, text)
to gapless_service, gapless_admin;

grant execute on function
    gapless.lease_claim(uuid, bytea, integer, uuid, text), gapless.lease_wanted(uuid, bytea),
    gapless.lease_take(integer, uuid, bytea, integer, uuid, bigint, interval),
    gapless.lease_renew(uuid, bytea, integer, interval), gapless.lease_return(uuid, uuid, bytea, integer),
    gapless.lease_tokens(uuid, bytea, integer[], integer), gapless.lease_holders(uuid, bytea),
    gapless.lease_settled_notice(uuid, bytea, integer, jsonb)
to gapless_service;
grant execute on function
    gapless.lease_settle(
        uuid, uuid, bytea, bigint[], integer[], integer[], uuid[], text[], timestamptz[]
    )
to gapless_service, gapless_admin;
grant execute on function
    gapless.open_holds(text, timestamptz, integer, integer, bigint, integer),
    gapless.lease_page(text, bigint, integer), gapless.lease_report(uuid)
to gapless_service, gapless_admin, gapless_audit;
grant execute on function gapless.lease_recall(uuid, text), gapless.lease_recall_all(text, text),
    gapless.lease_write_off(uuid, text, text), gapless.lease_drill(text, integer, text),
    gapless.leases_unproven(jsonb)
to gapless_admin;

grant execute on function gapless.notice_kinds()
to gapless_service, gapless_app, gapless_admin, gapless_audit;
grant execute on function gapless.notice_page(bigint, integer, text, text), gapless.notice_bounds(),
    gapless.notice_verified(bigint, boolean) -- auditors verify every night
to gapless_service, gapless_admin, gapless_audit;
grant execute on function
    gapless.notices_publish(integer), gapless.notices_due(interval), gapless.notices_find(jsonb),
    gapless.notices_expire(interval, integer),
    gapless.webhook_create(text, text[], text[], text, text), gapless.webhook_delete(integer, text),
    gapless.webhook_rotate(integer, text), gapless.webhook_retry(integer, bigint, text),
    gapless.webhook_test(integer, text), gapless.webhook_page(integer, integer, integer)
to gapless_service, gapless_admin;
grant execute on function
    gapless.webhook_sender_take(), gapless.webhook_due(integer, integer[], integer, integer),
    gapless.webhook_lock(integer[]),
    gapless.webhook_report(integer[], uuid[], integer[], text[], integer[], boolean[], integer[])
to gapless_service;
