-- seal_text(p_series_id, p_kind, p_first, p_last, p_limit) -> the records that a link covers, as the text
-- that is hashed, and their count
--
-- With p_limit (null: all), at most that many ledger rows, because each may hold many ordinals; last says how
-- far they reach. One line per record, in key order: fields separated by one space, nothing for null, moments
-- as seconds since 1970, texts preceded by their length (gapless.seal_field). It contains only what never
-- changes. docs/design/verify.md lists the fields. Takes under a microsecond a row: concat_ws and string_agg
-- were faster than format(), records as text and record_send.
create or replace function gapless.seal_text(
    p_series_id integer, p_kind text, p_first bigint, p_last bigint, p_limit bigint default null,
    out rows bigint, out last bigint, out text text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_issuances bigint;
    v_more      text;
begin
    last := p_last;
    case p_kind
    when 'ledger' then
        -- The subquery comes sorted from the index; an order by inside string_agg would sort again.
        select count(*), max(l.ordinal + l.count) - 1, string_agg(gapless.seal_row(l), e'\n')
        into rows, last, text
        from (
            select * from gapless.ledger l
            where l.series_id = p_series_id and l.turn = 0 and l.ordinal between p_first and p_last
            order by l.ordinal
            limit p_limit
        ) l;
        if p_limit is null or rows < p_limit then
            last := p_last;
        end if;
        select count(*), string_agg(gapless.seal_issuance(s), e'\n' order by s.ordinal)
        into v_issuances, v_more
        from gapless.issuance s
        where s.series_id = p_series_id and s.turn = 0 and s.ordinal between p_first and last;
        rows := rows + v_issuances;
        text := concat_ws(e'\n', text, v_more);
    when 'reissue' then
        select count(*), string_agg(gapless.seal_row(l), e'\n' order by l.turn, l.ordinal) into rows, text
        from gapless.ledger l
        where l.series_id = p_series_id and l.turn between p_first and p_last;
        select count(*), string_agg(gapless.seal_issuance(s), e'\n' order by s.turn, s.ordinal)
        into v_issuances, v_more
        from gapless.issuance s
        where s.series_id = p_series_id and s.turn between p_first and p_last;
        rows := rows + v_issuances;
        text := concat_ws(e'\n', text, v_more);
    when 'event' then
        select count(*), string_agg(concat_ws(
            ' ', e.event_id, e.kind, e.first_ordinal, e.last_ordinal, extract(epoch from e.at),
            concat(e.turn, ' ', gapless.seal_field(e.actor)), gapless.seal_field(e.reason)
        ), e'\n' order by e.event_id)
        into rows, text
        from gapless.number_event e
        where e.series_id = p_series_id and e.event_id between p_first and p_last;
    when 'block' then
        select count(*), string_agg(concat_ws(
            ' ', b.block_id, b.first_serial, b.last_serial, b.cycle, extract(epoch from b.loaded_at),
            concat(
                b.assigned_serial, ' ', extract(epoch from b.valid_until), ' ', gapless.seal_field(b.space)
            ),
            gapless.seal_field(b.reference), gapless.seal_field(b.loaded_by)
        ), e'\n' order by b.block_id)
        into rows, text
        from gapless.block b
        where b.series_id = p_series_id and b.block_id between p_first and p_last;
    when 'epoch' then
        select count(*), string_agg(concat_ws(
            ' ', e.epoch, e.database_id, e.system_identifier, extract(epoch from e.opened_at),
            gapless.seal_field(e.timeline), gapless.seal_field(e.place), e.database_oid,
            gapless.seal_field(e.opened_by), gapless.seal_field(e.reason)
        ), e'\n' order by e.epoch)
        into rows, text
        from gapless.epoch e
        where e.epoch between p_first and p_last;
    when 'owner' then
        select count(*), string_agg(concat_ws(
            ' ', o.owner_id, extract(epoch from o.created_at), gapless.seal_field(o.name)
        ), e'\n' order by o.owner_id)
        into rows, text
        from gapless.token_owner o
        where o.owner_id between p_first and p_last;
    when 'audit' then
        select count(*), string_agg(concat_ws(
            ' ', a.audit_id, extract(epoch from a.at), coalesce(a.token_id::text, ''),
            gapless.seal_field(a.actor), gapless.seal_field(a.role), gapless.seal_field(a.action),
            gapless.seal_field(a.subject),
            gapless.seal_field(a.before::text), gapless.seal_field(a.after::text),
            gapless.seal_field(a.request_id)
        ), e'\n' order by a.audit_id)
        into rows, text
        from gapless.audit_log a
        where a.audit_id between p_first and p_last;
    else
        rows := 0; -- a tampered link: it covers nothing, and its hash will not match
    end case;
    text := coalesce(text, '');
end;
$$;
