-- verify_chain(p_series_id) -> how many links and records were rehashed, and the findings as an array of
-- {"at", "what"}
--
-- Recomputes a series' hash chain (0: that of the records that all series share) link by link. Skips what is
-- not sealed yet. Finds every record and every link that was changed, removed or added, unless all links from
-- there on were recomputed as well: anchors are for that (gapless.verify_anchors). An erased reference leaves
-- the chain as it is; the audit log shows whether the erasure is on record. At most ten findings. Takes about
-- a microsecond per row.
create or replace function gapless.verify_chain(
    p_series_id integer, out links bigint, out records bigint, out findings jsonb
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
    v_hash bytea := gapless.seal_origin(p_series_id); -- of the link before; null if that is gone
    v_ends jsonb := '{}'; -- how far each kind is sealed
    v_seal gapless.seal;
    v_rows bigint;
    v_text text;
    v_what text;
    v_erased  bigint;
    v_ordered bigint;
begin
    links := 0;
    records := 0;
    findings := '[]';
    for v_seal in select * from gapless.seal s where s.series_id = p_series_id order by s.link loop
        exit when jsonb_array_length(findings) >= 10;
        links := links + 1;
        if v_seal.link <> links then
            findings := findings
                || gapless.finding(
                    format('link %s', links),
                    format('links %s to %s of the chain are gone', links, v_seal.link - 1)
                );
            links := v_seal.link;
            v_hash := null;
        end if;
        v_what := format('the %s from %s to %s, sealed at %s',
            case v_seal.kind
                when 'ledger' then 'ledger'
                when 'reissue' then 'reissues'
                when 'audit' then 'audit log'
                else v_seal.kind || 's'
                end,
            v_seal.first, v_seal.last, gapless.moment(v_seal.sealed_at));
        if v_seal.first <> coalesce((v_ends ->> v_seal.kind)::bigint, 0) + 1 then
            findings := findings || gapless.finding(format('link %s', links),
                format('%s: the link before ended at %s', v_what, coalesce(v_ends ->> v_seal.kind, '0')));
        end if;
        v_ends := v_ends || jsonb_build_object(v_seal.kind, v_seal.last);

        select t.rows, t.text into v_rows, v_text
        from gapless.seal_text(
            p_series_id => p_series_id, p_kind => v_seal.kind, p_first => v_seal.first, p_last => v_seal.last
        ) t;
        records := records + v_rows;
        if v_rows <> v_seal.rows then
            findings := findings
                || gapless.finding(
                    format('link %s', links),
                    format('%s: %s records were sealed, %s are there', v_what, v_seal.rows, v_rows)
                );
        elsif gapless.seal_hash(v_seal, v_hash, v_text) <> v_seal.hash and v_hash is not null then
            findings := findings
                || gapless.finding(
                    format('link %s', links),
                    format('%s: it was changed since, or the link itself was', v_what)
                );
        end if;
        v_hash := v_seal.hash;
    end loop;

    select findings || coalesce(jsonb_agg(gapless.finding(
        'seals', format('there are links of series %s, which does not exist', s.series_id))), '[]')
    into findings
    from (
        select distinct s.series_id from gapless.seal s where p_series_id = 0 and s.series_id <> 0
        except
        select s.series_id from gapless.series s
    ) s;

    select count(*) into v_erased
    from gapless.ledger l
    where l.series_id = p_series_id and l.reference_digest is not null;
    select coalesce(sum((a.after ->> 'references')::bigint), 0) into v_ordered
    from gapless.audit_log a
    where v_erased > 0 and a.action = 'reference.erase'
      and a.subject = (select s.name from gapless.series s where s.series_id = p_series_id);
    if v_erased > v_ordered then
        findings := findings
            || gapless.finding(
                'references',
                format('%s references are erased, the audit log knows of %s', v_erased, v_ordered)
            );
    end if;

    select findings || coalesce(jsonb_agg(gapless.finding(
        format('block %s', b.block_id),
        format('block %s says that it was closed for another reason than the audit log', b.block_id))), '[]')
    into findings
    from gapless.block b
    where b.series_id = p_series_id and b.state in ('closed', 'withdrawn') and not exists (
        select from gapless.audit_log a
        where a.action = 'block.close' and a.subject = b.block_id::text
          and a.after ->> 'reason' = b.closed_reason and a.after ->> 'closed_serial' = b.closed_serial::text
    );

    select findings || coalesce(jsonb_agg(gapless.finding(
        format('block %s', b.block_id),
        format(
            'block %s says that it was %s%s, the audit log %s', b.block_id,
            case when w.is_so then '' else 'not ' end, w.what,
            case when w.is_so then 'does not' else 'does' end
        )) order by b.block_id), '[]')
    into findings
    from gapless.block b
    cross join lateral (
        values ('withdrawn', 'block.withdraw', b.state = 'withdrawn'),
               ('recalled', 'block.recall', b.recalled_at is not null)
    ) w (what, action, is_so)
    left join (
        select distinct a.action, a.subject
        from gapless.audit_log a
        where a.action in ('block.withdraw', 'block.recall')
    ) a on a.action = w.action and a.subject = b.block_id::text
    where b.series_id = p_series_id and w.is_so <> (a.subject is not null);
end;
$$;
