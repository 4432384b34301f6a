-- webhook_create(p_url, p_kinds, p_series, p_authorization, p_actor) -> one row: the webhook's id, and its
-- secret, which is never shown again
--
-- From then on notices of these kinds and series (each null: all) are delivered there; with p_series, none
-- that concern no series. p_authorization: sent as this field with each delivery; it is never shown, the
-- audit log says only whether there is one. The program checks whether the address is allowed, here and
-- whenever it connects. Raises GL005 for a series that does not exist, GL017 for an empty list, an unknown
-- kind, one that is named twice, a URL or an authorization of another form, more than 1,000 webhooks, or more
-- than 100 of one person's tokens (gapless.acting_person). Needs scope admin; a token cannot create one
-- beyond its own series (GL003, GL004: gapless.require_scope, gapless.require_reach). Writes one audit row.
create or replace function gapless.webhook_create(
    p_url text, p_kinds text[], p_series text[], p_authorization text, p_actor text, out webhook_id integer,
    out secret text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_wrong     text;
    v_secret    bytea := gapless.webhook_secret();
    v_person_id integer := (gapless.acting_token()).person_id;
begin
    p_actor := gapless.require_scope('admin', null, p_actor);
    perform gapless.require_reach(null, p_series);
    if (p_url ~ '^https?://[^/]' and length(p_url) <= 2048) is not true then
        raise exception 'a webhook has an address https://… or http://… of up to 2048 characters'
            using errcode = 'GL017';
    end if;
    if p_authorization !~ '^[!-~]([ -~]*[!-~])?$' or length(p_authorization) > 1000 then
        raise exception 'an authorization has 1 to 1000 characters of visible ASCII, with blanks inside only'
            using errcode = 'GL017';
    end if;
    if cardinality(p_kinds) = 0 or cardinality(p_series) = 0 then
        raise exception 'a list of kinds or series is not empty; without it all are meant'
            using errcode = 'GL017';
    end if;
    select n into v_wrong
    from unnest(p_kinds) as n
    where not exists (select from gapless.notice_kinds() k where k.kind = n) or n is null
    limit 1;
    if found then
        raise exception 'there is no kind of notice %', quote_nullable(v_wrong) using errcode = 'GL017';
    end if;
    select n into v_wrong from unnest(p_kinds || p_series) as n group by n having count(*) > 1 limit 1;
    if found then
        raise exception '% is named twice', quote_literal(v_wrong) using errcode = 'GL017';
    end if;
    select n into v_wrong
    from unnest(p_series) as n
    where not exists (select from gapless.series s where s.name = n)
    limit 1;
    if found then
        raise exception 'there is no series %; list them: gapless series list', quote_nullable(v_wrong)
            using errcode = 'GL005';
    end if;
    -- Two concurrent calls would not see each other. A lock of the table would stop all deliveries.
    perform pg_advisory_xact_lock(28279, 1); -- 28279, 0: gapless.webhook_sends
    if (select count(*) from gapless.webhook) >= 1000 then
        raise exception 'there are 1000 webhooks, which is the limit; delete one first'
            using errcode = 'GL017';
    end if;
    if (select count(*) from gapless.webhook w where w.person_id = v_person_id) >= 100 then
        raise exception 'there are 100 webhooks of this token and those that it shares its person with, '
                        'which is their limit; delete one first'
            using errcode = 'GL017';
    end if;

    insert into gapless.webhook (
        url, kinds, series, secret, credentials, environment, seq, created_by, person_id)
    select p_url, p_kinds, p_series, v_secret, p_authorization, gapless.environment_name(), c.last_seq,
           p_actor, v_person_id
    from gapless.notice_counter c
    returning webhook.webhook_id into webhook_id;
    secret := gapless.webhook_secret_text(v_secret);
    perform gapless.audit(
        p_actor => p_actor, p_action => 'webhook.create', p_subject => webhook_id::text, p_before => null,
        p_after => jsonb_build_object(
            'host', gapless.webhook_host(p_url), 'kinds', p_kinds, 'series', p_series,
            'authorization', p_authorization is not null
        )
    );
end;
$$;
