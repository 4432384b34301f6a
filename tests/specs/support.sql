-- What the specs need beside the schema: all permutations of a spec run on one database, and each
-- begins with forget_everything() (tools/run_specs).

-- forget_everything() -> nothing
--
-- As a superuser and past the append-only triggers: empties every table of gapless but the first
-- epoch; ids start at 1 again, and the owner of this session's role is 1. Row by row: TRUNCATE makes
-- a hundred files anew, for tables of a few rows.
create function forget_everything() returns void
language plpgsql
set session_replication_role = replica
as $$
declare
    v_table text;
begin
    foreach v_table in array array[
        'answered_request', 'audit_log', 'block', 'carrier', 'consumption', 'counter', 'format', 'proposal',
        'hold', 'clock_step', 'issuance', 'ledger', 'manifest', 'manifest_part', 'number_event',
        'number_state', 'seal', 'series', 'tally', 'token', 'token_owner', 'token_quota', 'notice', 'alert_state',
        'webhook', 'instance', 'lease', 'lease_conflict', 'lease_record', 'fence', 'epoch_move', 'environment']
    loop
        execute 'delete from gapless.' || v_table;
    end loop;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
    delete from gapless.epoch where epoch > 1;
    update gapless.notice_counter set last_seq = 0;
    update gapless.notice_look set begun_at = '-infinity';
    -- long ago, so that a lease can have answered him
    insert into gapless.token_owner (name, created_at) values ('role:' || session_user, '2025-01-01 00:00+00');
end
$$;

-- put_back(moment) -> nothing
--
-- For a spec that cannot wait: makes every open hold one that was issued, and every valid_until and the end of every lease one that was,
-- so much earlier.
create function put_back(p_span interval) returns void
language plpgsql
set session_replication_role = replica
as $$
begin
    update gapless.ledger set issued_at = issued_at - p_span;
    update gapless.number_event set at = at - p_span;
    update gapless.manifest set created_at = created_at - p_span;
    update gapless.audit_log set at = at - p_span where action = 'manifest.close';
    update gapless.hold set expires_at = expires_at - p_span;
    update gapless.block set valid_until = valid_until - p_span;
    update gapless.lease set draw_until = draw_until - p_span;
    update gapless.counter set valid_until = valid_until - p_span;
end;
$$;

-- states(series) -> where its numbers are, in one line, and whether the tally says so without counting them
create function states(p_series text) returns text
language sql
stable
as $$
    select concat_ws(' ', nullif(format('free:%s', r.free), 'free:0'), nullif(format('held:%s', r.held), 'held:0'),
                     nullif(format('issued:%s', r.plain), 'issued:0'), nullif(format('printed:%s', r.printed), 'printed:0'),
                     nullif(format('voided:%s', r.voided), 'voided:0'), nullif(format('manifested:%s', r.manifested), 'manifested:0'),
                     nullif(format('returned:%s', r.returned), 'returned:0'), 'left:' || r.remaining)
    from gapless.series_report(p_series) r;
$$;

-- numbers(series, count, key, hold) -> the serials, in order
create function numbers(p_series text, p_count bigint, p_key text default null, p_hold integer default null) returns text
language sql
volatile
as $$
    select string_agg((r.serial + n.n)::text, ' ' order by r.k, n.n)
    from gapless.issue_ranges(p_series, p_count, p_key, null, p_hold)
         with ordinality as r (series_id, replayed, turn, ordinal, serial, count, block_id, epoch, issued_at, k)
    cross join lateral generate_series(0, r.count - 1) as n (n);
$$;

-- ordinals(numbers…) -> the set of these ordinals, as a spec cannot write one: its steps end at the first brace
create function ordinals(variadic p_numbers bigint[]) returns int8multirange
language sql
immutable
as $$
    select range_agg(int8range(n, n + 1)) from unnest(p_numbers) as n;
$$;

-- settle(confirm, ordinal, numbers) -> gapless.hold_settle of a hold of series 1, without the moment in its refusal
create function settle(p_confirm boolean, p_ordinal bigint, p_numbers int8multirange default null) returns bigint
language plpgsql
as $$
begin
    return gapless.hold_settle(1, 0, p_ordinal, p_numbers, p_confirm, 'client');
exception
    when sqlstate 'GL012' then
        raise exception '%', regexp_replace(sqlerrm, '[0-9]{4}-[^ ]*Z', 'that time') using errcode = 'GL012';
end;
$$;

-- event(kind, reason, numbers…) -> gapless.note_event of these ordinals of series 1
create function event(p_kind text, p_reason text, variadic p_numbers bigint[]) returns bigint
language sql
volatile
as $$
    select gapless.note_event(1, p_kind, ordinals(variadic p_numbers), 'clerk', p_reason, false);
$$;

-- erase(reference) -> how many references of series s went: this one, or null for all
create function erase(p_reference text) returns bigint
language plpgsql
as $$
declare
    v_before timestamptz := case when p_reference is null then clock_timestamp() end;
    v_act    bigint := gapless.erasure_begin('s', v_before, p_reference, 'asked for', 'spec');
begin
    return (select e.erased from gapless.erase_references(v_act, p_reference, 0, 0, 100) e);
end;
$$;

-- token(name, secret, local) -> nothing; the session acts for that token from here on, local: to the end of the transaction
create function token(p_name text, p_secret text, p_local boolean default true) returns void
language sql
volatile
as $$
    select set_config('gapless.token_id', t.token_id::text, p_local),
           set_config('gapless.token_hash', encode(sha256(p_secret::bytea), 'hex'), p_local)
    from gapless.token t
    join gapless.token_owner o using (owner_id)
    where o.name = 'token:' || p_name;
$$;

-- notices(after) -> what a reader finds behind that number: "1 block.loaded s", one after the other
create function notices(p_after bigint default 0) returns text
language sql
stable
as $$
    select string_agg(concat_ws(' ', n.seq, n.kind, n.series), ', ' order by n.seq) from gapless.notice_page(p_after, 1000) n;
$$;

-- due(busy) -> what there is to deliver now, but to these webhooks: "1: 3 block.loaded s", with ? for an attempt after the first, ! where
-- something was missed
create function due(p_busy integer[] default '{}') returns text
language sql
volatile
as $$
    select coalesce(string_agg(format('%s: %s', d.webhook_id,
                                      concat_ws(' ', d.seq, d.kind, d.series) || case when d.attempt > 1 then '?' else '' end
                                      || case when d.missed then '!' else '' end), ', ' order by d.webhook_id), 'nothing')
    from gapless.webhook_due(p_busy => p_busy) d;
$$;

-- report(webhook, seq, error, attempt, pause, gone) -> gapless.webhook_report of one delivery
create function report(p_webhook integer, p_seq bigint, p_error text default null, p_attempt integer default 1, p_pause integer default null,
                       p_gone boolean default false) returns void
language sql
volatile
as $$
    select gapless.webhook_report(array[p_webhook], array[(select n.id from gapless.notice n where n.seq = p_seq)], array[p_attempt],
                                  array[p_error], array[p_pause], array[p_gone]);
$$;

-- webhooks() -> each with its state, its cursor and what waits: "1 failing at 2, 3 wait"
create function webhooks() returns text
language sql
stable
as $$
    select string_agg(format('%s %s at %s, %s wait', w.webhook_id, w.state, w.after, w.pending), '; ' order by w.webhook_id)
    from gapless.webhook_page() w;
$$;

-- wait(moment) -> nothing
--
-- For a spec that cannot wait: all attempts to deliver were so much earlier.
create function wait(p_span interval) returns void
language sql
volatile
as $$
    update gapless.webhook set next_attempt_at = next_attempt_at - p_span, first_failed_at = first_failed_at - p_span;
$$;

-- id(name) -> the instance, claim, lease or key of that name
create function id(p_name text) returns uuid
language sql
immutable
as $$
    select gapless.key_to_uuid(p_name);
$$;

-- secret(instance) -> what stands in its journal alone
create function secret(p_instance text) returns bytea
language sql
immutable
as $$
    select sha256(convert_to(p_instance || '''s secret', 'UTF8'));
$$;

-- outcome(statement) -> its one value, or "GL014: …" without moments
create function outcome(p_statement text) returns text
language plpgsql
as $$
declare
    v_value text;
begin
    execute p_statement into v_value;
    return v_value;
exception
    when others then
        return sqlstate || ': ' || regexp_replace(sqlerrm, '[0-9]{4}-[^ ]*Z', 'that time');
end;
$$;

-- claim(instance, incarnation, claim) -> "claimed 1" or "copy 2"
create function claim(p_instance text, p_incarnation integer, p_claim text) returns text
language sql
volatile
as $$
    select c.outcome || ' ' || c.incarnation from gapless.lease_claim(id(p_instance), secret(p_instance), p_incarnation, id(p_claim), 'host-' || p_instance) c;
$$;

-- take(lease, instance, incarnation, count, series) -> "4: 103+10", ordinal, serial and count, for 8 hours; null: nothing was to be had
create function take(p_lease text, p_instance text, p_incarnation integer, p_count bigint, p_series_id integer default 1) returns text
language sql
volatile
as $$
    select format('%s: %s+%s', t.ordinal, t.serial, t.count)
    from gapless.lease_take(p_series_id, id(p_instance), secret(p_instance), p_incarnation, id(p_lease), p_count, '8 hours') t;
$$;

-- settled(lease, records) -> what became of records like "4+3:key", ordinal, count and key: "settled 4/1", with ordinal and turn. The owner
-- is the one of this session, the reference the key.
create function settled(p_lease text, variadic p_records text[]) returns text
language sql
volatile
as $$
    select string_agg(format('%s %s/%s', s.outcome, s.ordinal, s.turn), ', ' order by s.record)
    from (
        select array_agg(split_part(r, '+', 1)::bigint order by k) as ordinals,
               array_agg(split_part(split_part(r, '+', 2), ':', 1)::integer order by k) as counts,
               array_agg(id(split_part(r, ':', 2)) order by k) as keys, array_agg(split_part(r, ':', 2) order by k) as refs,
               array_agg(gapless.owner_id('role:' || session_user) order by k) as owners,
               array_agg('2026-01-01 12:00+00'::timestamptz order by k) as moments
        from unnest(p_records) with ordinality as r (r, k)
    ) a
    cross join lateral gapless.lease_settle(id(p_lease), id('i'), secret('i'), a.ordinals, a.counts, a.owners, a.keys, a.refs, a.moments) s;
$$;

-- returned(lease, instance, incarnation) -> how many numbers came back
create function returned(p_lease text, p_instance text, p_incarnation integer) returns bigint
language sql
volatile
as $$
    select gapless.lease_return(id(p_lease), id(p_instance), secret(p_instance), p_incarnation);
$$;

-- renewed(instance, incarnation) -> the status and the rest of its leases: "open 10"
create function renewed(p_instance text, p_incarnation integer) returns text
language sql
volatile
as $$
    select string_agg(concat_ws(' ', r.status, r.rest, case when r.paused then 'paused' end, case when r.fenced then 'fenced' end), ', ')
    from gapless.lease_renew(id(p_instance), secret(p_instance), p_incarnation, '8 hours') r;
$$;

-- leases() -> all leases: "open 10 = 7 + 2 + 1 + 0", what they were granted, held, settled, returned and written off
create function leases() returns text
language sql
stable
as $$
    select string_agg(format('%s %s = %s + %s + %s + %s%s', l.status, l.count, l.held, l.settled, l.returned, l.written_off,
                             case when l.overdue then ' overdue' end), ', ' order by l.place)
    from gapless.lease_page() l;
$$;

-- lacks(read, x_heard) -> whose journals of leases an epoch lacks, when those of these instances were read, and named x, heard of so long from
-- now (null: not at all)
create function lacks(p_read text[], p_x_heard interval default null) returns text
language sql
stable
as $$
    select replace(replace(replace(
               gapless.leases_unproven(jsonb_strip_nulls(jsonb_build_object(
                   'instances', coalesce((select jsonb_agg(id(n)) from unnest(p_read) n), '[]'),
                   'known', case when p_x_heard is not null then jsonb_build_array(jsonb_build_object(
                       'instance', id('x'), 'heard', clock_timestamp() + p_x_heard)) end))),
               id('i')::text, 'I'), id('j')::text, 'J'), id('x')::text, 'X');
$$;

-- proof(instance) -> the proof of an epoch with the journal of leases of that instance, null: without any
create function proof(p_instance text) returns jsonb
language sql
immutable
as $$
    select jsonb_build_object('leases', case
        when p_instance is null then jsonb_build_object('skip', true)
        else jsonb_build_object('instances', jsonb_build_array(id(p_instance)))
        end);
$$;
