-- notice_of_block() -> trigger on gapless.block: writes the notice of a block that opens, ends early or is
-- recalled
--
-- Once per change, in its transaction. Not of a block that is used up: the rollover that goes on in the
-- next one pays for one row (block.opened), and gapless.notices_find finds the used-up ones. Withdrawing a
-- block ends it, which is one notice; recalling one that is queued or open ends it, too, which are two.
create or replace function gapless.notice_of_block() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if new.state is distinct from old.state and new.state in ('open', 'closed') then
        perform gapless.notice_add(
            case
            when new.state = 'open' then 'block.opened'
            when new.closed_reason = 'expired' and new.valid_until <= clock_timestamp() then 'block.expired'
            else 'block.closed'
            end,
            new.series_id, new.block_id);
    end if;
    if old.recalled_at is null and new.recalled_at is not null then
        perform gapless.notice_add('block.recalled', new.series_id, new.block_id);
    end if;
    return null;
end;
$$;

create or replace trigger block_changes_are_noticed after update on gapless.block
    for each row
    when (((old.state is distinct from new.state) and (new.state <> 'exhausted'::text))
          or ((old.recalled_at is null) and (new.recalled_at is not null)))
    execute function gapless.notice_of_block();
