-- notice_data(p_notice) -> what a notice says beside its kind and series; for a block: which one, its first
-- and last number, how many remain
--
-- remaining: all numbers if the block was loaded or opened, 0 if it is used up; if it was closed, expired or
-- was recalled, those that will not be issued any more. The notice's own data takes precedence. All this
-- follows from what a block keeps for ever, so it does not matter when the notice is numbered.
create or replace function gapless.notice_data(p_notice gapless.notice) returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (
            select jsonb_build_object(
                'block', b.block_id::text,
                'first', gapless.format_number(s.program, coalesce(b.assigned_serial, b.first_serial)),
                'last', gapless.format_number(s.program, b.last_serial),
                'remaining', (
                    case
                    when p_notice.kind in ('block.loaded', 'block.opened')
                        then b.last_serial - b.first_serial + 1
                    when p_notice.kind = 'block.exhausted' then 0
                    else coalesce(b.last_serial - b.closed_serial + 1, 0)
                    end
                )::text
            )
            from gapless.block b
            join gapless.series s using (series_id)
            where b.series_id = p_notice.series_id and b.block_id = p_notice.block_id
        ),
        '{}'
    ) || p_notice.data;
$$;
