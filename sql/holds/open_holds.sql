-- open_holds(p_series, p_after_at, p_after_series_id, p_after_turn, p_after_ordinal, p_limit) -> the holds
-- that have numbers still held, by expiry, one row each
--
-- Of that series (null: of all that the token may access), after the given hold in that order (null: from the
-- start), at most p_limit (null: all). held: how many numbers are still held. Leases are left out. Needs
-- scope read (GL003, GL004: gapless.require_scope). Raises GL005 unknown-series. Takes no lock.
create or replace function gapless.open_holds(
    p_series text default null, p_after_at timestamptz default null, p_after_series_id integer default null,
    p_after_turn integer default null, p_after_ordinal bigint default null, p_limit integer default 100
)
returns table (
    series_id integer, turn integer, ordinal bigint, series text, held bigint, reference text,
    reference_erased boolean, expires_at timestamptz
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_series text[];
    v_now    timestamptz := gapless.believed_moment(now());
begin
    perform gapless.require_scope('read', p_series, session_user::text);
    v_series := (gapless.acting_token()).series;
    if p_series is not null then
        perform gapless.series_id_of(p_series);
        v_series := array[p_series];
    end if;
    return query
        select h.series_id, h.turn, h.ordinal, s.name, gapless.size_of(h.held), l.reference,
               l.reference_digest is not null, h.expires_at
        from gapless.hold h
        join gapless.series s using (series_id)
        join gapless.ledger l
          on l.series_id = h.series_id and l.turn = h.turn and l.ordinal = h.ordinal
        where not isempty(h.held) and h.expires_at > v_now and h.expires_at < 'infinity'
          and h.expires_at >= coalesce(p_after_at, v_now)
          and (v_series is null or s.name = any (v_series))
          and (p_after_at is null
               or (h.expires_at, h.series_id, h.turn, h.ordinal)
                  > (p_after_at, p_after_series_id, p_after_turn, p_after_ordinal))
        order by h.expires_at, h.series_id, h.turn, h.ordinal
        limit p_limit;
end;
$$;
