-- notice_kinds() -> every kind of notice, and whether it concerns a series
--
-- webhook.test is not among them: gapless.webhook_test delivers it, but there is no notice of it.
create or replace function gapless.notice_kinds() returns table (kind text, of_series boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
    values ('block.opened', true),
           ('block.exhausted', true),
           ('block.expired', true),
           ('block.loaded', true),
           ('block.closed', true),
           ('block.recalled', true),
           ('series.no_successor', true),
           ('series.low', true),
           ('series.order_by', true),
           ('series.exhausted', true),
           ('series.paused', true),
           ('fence.raised', false),
           ('verify.finding', false),
           ('token.expires', false),
           ('reserve.settled', true),
           ('lease.overdue', true);
$$;
