-- notice_cross(p_kinds, p_asked, p_found) -> how many notices were written
--
-- Announces each state once, and again only after it was over. p_found: the subjects now in a state of these
-- kinds; another mark is another state. p_asked: the subjects that were checked, null: all; those of them not
-- in p_found have left the state. A series that was low or exhausted has left that state only an hour after
-- it was last found in it (at; renewed every ten minutes): each hold that comes back lifts it for a while.
-- Writes at most 5,000 notices per call, the rest in later calls, so that a service does not wait long if
-- many series change state at once. For gapless.notices_find and notice_verified.
create or replace function gapless.notice_cross(
    p_kinds text[], p_asked bigint[], p_found gapless.notice_state[]
)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_lifted constant text[] := array['series.low', 'series.exhausted'];
    v_state  gapless.notice_state;
    v_count  bigint := 0;
begin
    update gapless.alert_state k
    set at = now()
    where k.kind = any (p_kinds) and k.kind = any (v_lifted)
      and k.at not between now() - interval '10 minutes' and now()
      and (k.kind, k.subject) in (select f.kind, f.subject from unnest(p_found) f);
    delete from gapless.alert_state k
    where k.kind = any (p_kinds) and (p_asked is null or k.subject = any (p_asked)) and not exists (
        select
        from unnest(p_found) f
        where f.kind = k.kind and f.subject = k.subject and f.mark is not distinct from k.mark
    ) and (
        k.kind <> all (v_lifted) or k.at < now() - interval '1 hour'
        or (k.kind, k.subject) in (select f.kind, f.subject from unnest(p_found) f) -- at another mark
    );
    for v_state in
        select f.*
        from unnest(p_found) f
        where not exists (
            select from gapless.alert_state k where k.kind = f.kind and k.subject = f.subject
        )
        order by f.kind, f.subject
        limit 5000
    loop
        insert into gapless.alert_state (kind, subject, mark) values (
            v_state.kind, v_state.subject, v_state.mark
        ) on conflict do nothing;
        if found then -- else somebody else is verifying at the same time
            perform gapless.notice_add(v_state.kind, v_state.series_id, v_state.block_id, v_state.data);
            v_count := v_count + 1;
        end if;
    end loop;
    return v_count;
end;
$$;
