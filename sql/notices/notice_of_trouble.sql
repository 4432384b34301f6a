-- notice_of_trouble() -> null: nothing stops issuing; else how many notices of it were written
--
-- A raised fence has a notice already (gapless.notice_of_fence). A copy, a restored dump or a failover, which
-- gapless.epoch_state detects, raises no fence: it is announced here, once per epoch. After a failover an
-- instance that can prove that no number is missing continues within seconds: announced only if it lasts 10
-- seconds. What comes after issuing went on is announced again. For gapless.notices_find.
create or replace function gapless.notice_of_trouble() returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_state record;
begin
    select s.epoch, s.trouble, s.movable into v_state from gapless.epoch_state() s;
    if v_state.trouble is null then
        delete from gapless.alert_state k where k.kind = 'fence.raised';
        return null;
    end if;
    if exists (select from gapless.fence f where f.epoch = v_state.epoch) then
        return 0;
    end if;
    if v_state.movable and not exists (
        select
        from gapless.alert_state k
        where k.kind = 'fence.raised' and k.subject = -1 and k.mark = v_state.epoch
          and k.at < now() - interval '10 seconds'
    ) then
        insert into gapless.alert_state as k (kind, subject, mark) values (
            'fence.raised', -1, v_state.epoch
        ) on conflict (kind, subject) do update set mark = excluded.mark, at = excluded.at
        where k.mark <> excluded.mark;
        return 0;
    end if;
    return gapless.notice_cross(
        array['fence.raised'], array[0::bigint],
        array[row(
            'fence.raised', 0, v_state.epoch, null, null, jsonb_build_object('reason', v_state.trouble)
        )::gapless.notice_state]
    );
end;
$$;
