-- unsealed_of(p_series_id) -> for each kind with unsealed records: the first and the last of them
--
-- 'ledger': ordinals of numbers issued for the first time; 'reissue': turns; 'event', 'block': ids. For
-- series 0 'epoch', 'owner', 'audit': ids.
create or replace function gapless.unsealed_of(p_series_id integer)
returns table (kind text, first bigint, last bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
    return query
        select r.kind, s.last + 1, r.last
        from (
            select k.place, k.kind, k.last
            from gapless.counter c
            join gapless.tally t using (series_id)
            cross join lateral (
                values (
                    1, 'block',
                    (select max(b.block_id)::bigint from gapless.block b where b.series_id = c.series_id)
                ),
                (2, 'ledger', c.next_ordinal - 1), (3, 'reissue', c.turn::bigint), (4, 'event', t.events)
            ) k (place, kind, last)
            where c.series_id = p_series_id
            union all
            select k.place, k.kind, k.last
            from (
                values (1, 'epoch', (select max(e.epoch)::bigint from gapless.epoch e)),
                       (2, 'owner', (select max(o.owner_id)::bigint from gapless.token_owner o)),
                       (3, 'audit', (select max(a.audit_id) from gapless.audit_log a))
            ) k (place, kind, last)
            where p_series_id = 0
        ) r
        cross join lateral (
            select coalesce(max(s.last), 0) as last
            from gapless.seal s
            where s.series_id = p_series_id and s.kind = r.kind
        ) s
        where r.last > s.last
        order by r.place;
end;
$$;
