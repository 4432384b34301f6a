-- audit_page(p_actor, p_subject, p_from, p_to, p_before, p_limit, p_action, p_series, p_block) -> acts,
-- newest first
--
-- Acts of that actor, on that subject, in that period, of that action, concerning that series and that block
-- (each null: any), with ids below p_before (null: from the newest). An actor's plain name matches it with
-- any prefix; an action without its verb, such as block, matches all of its kind. A series has what was done
-- to its blocks, numbers, proposals and leases, also by epochs; a block also the act that loaded it. Raises
-- GL005 unknown-series, GL008 for an unknown block. Needs scope admin and a token for every series (GL003,
-- GL004: gapless.require_scope, gapless.require_reach). Takes no lock.
create or replace function gapless.audit_page(
    p_actor text, p_subject text, p_from timestamptz, p_to timestamptz, p_before bigint, p_limit integer,
    p_action text default null, p_series text default null, p_block integer default null
)
returns table (
    audit_id bigint, at timestamptz, actor text, role text, action text, subject text, before jsonb,
    after jsonb, token_id integer, request_id text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_series_id integer;
    v_of_series text[]; -- kinds of acts and their subjects
    v_of_block  text[];
    v_loaded_at timestamptz;
begin
    perform gapless.require_scope('admin', null, session_user::text);
    perform gapless.require_reach(null, null);
    if p_from > p_to then
        raise exception 'to is before from' using errcode = 'GL017';
    end if;
    if p_series is not null then
        v_series_id := gapless.series_id_of(p_series);
        select array_agg(x.about) into v_of_series
        from (
            select k || ' ' || p_series
            from unnest(array['series', 'block', 'manifest', 'reference', 'lease', 'epoch']) as k
            union all
            select unnest(array[
                format('block %s/%s', p_series, b.block_id), format('number %s/%s', p_series, b.block_id),
                'block ' || b.block_id])
            from gapless.block b
            where b.series_id = v_series_id
            union all
            select 'proposal ' || o.proposal_id from gapless.proposal o where o.series_id = v_series_id
            union all
            select 'lease ' || e.lease from gapless.lease e where e.series_id = v_series_id
        ) as x (about);
    end if;
    if p_block is not null then
        select array[
                   format('block %s/%s', s.name, p_block), format('number %s/%s', s.name, p_block),
                   'block ' || p_block],
               b.loaded_at
        into v_of_block, v_loaded_at
        from gapless.block b
        join gapless.series s using (series_id)
        where b.block_id = p_block;
        if not found then
            raise exception 'there is no block %', p_block using errcode = 'GL008';
        end if;
    end if;
    return query
        select a.audit_id, a.at, a.actor, a.role, a.action, a.subject, a.before, a.after, a.token_id,
               a.request_id
        from gapless.audit_log a
        cross join lateral (select split_part(a.action, '.', 1) as kind) k
        where (p_actor is null or a.actor = p_actor
               or p_actor !~ '^(token|cli|sql):'
               and a.actor in ('token:' || p_actor, 'cli:' || p_actor, 'sql:' || p_actor))
          and (p_subject is null or a.subject = p_subject)
          and (p_action is null or p_action in (a.action, k.kind))
          and (p_series is null or k.kind || ' ' || a.subject = any (v_of_series))
          and (p_block is null or k.kind || ' ' || a.subject = any (v_of_block)
               -- the load of a file or proposal: its act does not list the ids of its blocks
               or a.at = v_loaded_at and a.action in ('block.load', 'proposal.confirm'))
          and (p_from is null or a.at >= p_from) and (p_to is null or a.at <= p_to)
          and (p_before is null or a.audit_id < p_before)
        order by a.audit_id desc
        limit p_limit;
end;
$$;
