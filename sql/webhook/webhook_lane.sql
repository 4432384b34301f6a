-- webhook_lane(p_kind, p_series_id) -> the lane a notice is delivered in: its series, 0 when it concerns
-- none; inlined
--
-- One lane's notices are delivered one after the other. A raised fence has a lane of its own, -2: it is
-- delivered while all others wait. -1 is that of a test, which is no notice.
create or replace function gapless.webhook_lane(p_kind text, p_series_id integer) returns integer
language sql
immutable
parallel safe
as $$
    select case when p_kind = 'fence.raised' then -2 else coalesce(p_series_id, 0) end;
$$;
