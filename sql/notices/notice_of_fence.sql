-- notice_of_fence() -> trigger on gapless.fence: inserts the notice of a fence, in the transaction that
-- raises it
create or replace function gapless.notice_of_fence() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    perform gapless.notice_add('fence.raised', null, null, jsonb_build_object('reason', new.reason));
    return null;
end;
$$;

create or replace trigger fence_is_noticed after insert on gapless.fence
    for each row execute function gapless.notice_of_fence();
