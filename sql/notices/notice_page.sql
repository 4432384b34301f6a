-- notice_page(p_after, p_limit, p_series, p_kind) -> numbered notices after p_after, at most p_limit, by seq
--
-- Of that series and that kind (each null: any). series: null if the notice concerns none. A token for some
-- series sees their notices; those that concern no series take scope admin for every series. Without a token
-- the caller sees all: an instance reads once for all waiting requests. A token needs scope read (GL003,
-- GL004: gapless.require_scope). Raises GL001 for an unknown kind, GL005 unknown-series. Takes no lock.
create or replace function gapless.notice_page(
    p_after bigint default 0, p_limit integer default 100, p_series text default null,
    p_kind text default null
)
returns table (
    seq bigint, id uuid, kind text, series text, at timestamptz, epoch integer, environment text,
    time_zone text, data jsonb
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan -- one series and all series use different indexes
as $$
#variable_conflict use_column
declare
    v_token  gapless.token;
    v_series integer[]; -- null: every series
    v_whole  boolean := true;
begin
    if coalesce(current_setting('gapless.token_id', true), '') <> '' then
        perform gapless.require_scope('read', p_series, session_user::text);
        v_token := gapless.acting_token();
        v_whole := v_token.series is null and 'admin' = any (v_token.scopes);
    end if;
    if p_kind is not null and not exists (select from gapless.notice_kinds() k where k.kind = p_kind) then
        raise exception 'there is no kind of notice %', quote_literal(p_kind) using errcode = 'GL001';
    end if;
    if p_series is not null then
        v_series := array[gapless.series_id_of(p_series)];
    elsif v_token.series is not null then
        v_series := array(select s.series_id from gapless.series s where s.name = any (v_token.series));
    end if;
    return query
        select n.seq, n.id, n.kind, s.name, n.at, n.epoch, n.environment, n.time_zone, n.data
        from gapless.notice n
        left join gapless.series s using (series_id)
        where n.seq > p_after and (v_series is null or n.series_id = any (v_series))
          and (v_whole or n.series_id is not null) and (p_kind is null or n.kind = p_kind)
        order by n.seq
        limit p_limit;
end;
$$;
