-- hold_end(p_issued_at, p_seconds) -> when a hold of p_seconds from p_issued_at expires; inlined
create or replace function gapless.hold_end(p_issued_at timestamptz, p_seconds integer) returns timestamptz
language sql
stable
parallel safe
as $$
    select case
           when p_seconds = gapless.hold_for_ever() then 'infinity'
           else p_issued_at + p_seconds * interval '1 second'
           end;
$$;
