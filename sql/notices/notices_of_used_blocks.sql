-- notices_of_used_blocks() -> how many block.exhausted notices were written
--
-- For the blocks used up since the latest one that has a notice. Each series costs one look-up in the index
-- of its opened blocks, however many it used up over the years. For gapless.notices_find.
create or replace function gapless.notices_of_used_blocks() returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_block record;
    v_count bigint := 0;
begin
    for v_block in
        select b.series_id, b.block_id, b.first_ordinal
        from gapless.counter c
        left join gapless.alert_state k on k.kind = 'block.exhausted' and k.subject = c.series_id
        join gapless.block b on b.series_id = c.series_id and b.first_ordinal > coalesce(k.mark, 0)
        where b.state = 'exhausted' or b.state = 'open' and c.next_serial > c.last_serial
        order by b.series_id, b.first_ordinal
    loop
        insert into gapless.alert_state as k (kind, subject, mark)
        values ('block.exhausted', v_block.series_id, v_block.first_ordinal)
        on conflict (kind, subject) do update set mark = excluded.mark, at = now();
        perform gapless.notice_add('block.exhausted', v_block.series_id, v_block.block_id);
        v_count := v_count + 1;
    end loop;
    return v_count;
end;
$$;
