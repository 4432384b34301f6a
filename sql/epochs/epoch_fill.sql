-- epoch_fill(p_series_id, p_last, p_quarantine, p_reason, p_actor, p_next_serial) -> how many numbers were
-- filled in
--
-- Records the fresh numbers of a series up to ordinal p_last as issued, because they were or may have been
-- issued before this database was restored: to the owner 'recovered' (proven), or with p_quarantine to
-- 'quarantined' and voided, never to be used. Continues into the queued blocks. Does nothing if the series
-- has come that far already. Raises GL014 unless the database is fenced, GL005 for an unknown series, GL009
-- if the blocks end before p_last: first load the blocks that were loaded after the backup.
--
-- p_next_serial is the one after the serial of p_last, null if nobody knows it. Where that number was one of
-- the next block, the open one ended early after the backup, closed or expired: what left of it is filled in,
-- it ends again, and the next block goes on. Without this, numbers of the next block would be issued twice.
-- Raises GL014 if ordinal p_last would get another serial for another reason: blocks were moved, or are
-- missing. It may be beyond that serial by what blocks had left that were closed where the counter stands:
-- since the backup was put back.
create or replace function gapless.epoch_fill(
    p_series_id integer, p_last bigint, p_quarantine boolean, p_reason text, p_actor text,
    p_next_serial bigint default null
)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_counter  gapless.counter;
    v_first    bigint;
    v_owner_id integer := gapless.owner_id(case when p_quarantine then 'quarantined' else 'recovered' end);
    v_row_max  constant bigint := 100000;
    v_piece    record;
    v_fresh    bigint; -- the next fresh ordinal
    v_blocks   integer[] := '{}';
    v_serials  bigint[] := '{}';
    v_ordinals bigint[] := '{}';
    v_counts   bigint[] := '{}';
    v_count    bigint;
    v_moment   timestamptz; -- issued_at of the rows
    v_before   bigint; -- how many of the open block left before the number that left last
    v_astray   boolean; -- that number could be issued once more, or is in no block
    v_serial   bigint;  -- planned: where the last piece starts, and the serial after its end
    v_end      bigint;
begin
    if (select s.trouble is null from gapless.epoch_state() s) then
        raise exception 'the database is not fenced: there is nothing to reconcile' using errcode = 'GL014';
    end if;
    select * into v_counter from gapless.counter c where c.series_id = p_series_id for update;
    if not found then
        raise exception 'series % does not exist', p_series_id using errcode = 'GL005';
    end if;
    v_moment := gapless.next_moment(v_counter);
    v_first := v_counter.next_ordinal;
    v_fresh := v_first;
    v_astray := p_last >= v_first and p_next_serial is not null and not exists (
        select
        from gapless.block b
        where b.series_id = p_series_id and p_next_serial - 1 between b.first_serial and b.last_serial
    );

    for v_piece in
        select v_counter.block_id, v_counter.next_serial as serial,
               v_counter.last_serial - v_counter.next_serial + 1 as room, 0 as place
        where v_counter.next_serial <= v_counter.last_serial
        union all
        (select b.block_id, b.first_serial, b.last_serial - b.first_serial + 1,
                row_number() over (order by b.position)
         from gapless.block b
         where b.series_id = p_series_id and b.state = 'queued'
         order by b.position)
    loop
        v_count := greatest(least(p_last - v_fresh + 1, v_piece.room), 0);
        if p_last >= v_first and p_next_serial > v_piece.serial + v_count
           and p_next_serial <= v_piece.serial + v_piece.room
        then
            v_astray := true;
            if v_piece.place = 1 and v_counter.next_serial <= v_counter.last_serial then
                v_before := p_last - v_first + 1 - (p_next_serial - v_piece.serial);
            end if;
        end if;
        continue when v_count = 0;
        v_blocks := v_blocks || v_piece.block_id;
        v_serials := v_serials || v_piece.serial;
        v_ordinals := v_ordinals || v_fresh;
        v_counts := v_counts || v_count;
        v_fresh := v_fresh + v_count;
        v_serial := v_piece.serial;
        v_end := v_piece.serial + v_count;
    end loop;
    v_astray := v_astray or (
        p_last >= v_first and p_next_serial <> v_end
        and not (p_next_serial > v_serial and v_end - p_next_serial between 0 and (
            select coalesce(sum(b.last_serial - b.closed_serial + 1), 0)
            from gapless.block b
            where b.series_id = p_series_id and b.state = 'closed'
              and coalesce(b.first_ordinal + b.closed_serial - b.first_serial, v_first) = v_first
        ))
    );
    if v_fresh <= p_last then
        raise exception 'series % ends at ordinal %, but % were issued: load the blocks that were loaded '
                        'after the backup first',
                        (select quote_literal(s.name) from gapless.series s where s.series_id = p_series_id),
                        v_fresh - 1, p_last
            using errcode = 'GL009';
    end if;

    if v_before >= 0 then
        v_count := gapless.epoch_fill(
            p_series_id => p_series_id, p_last => v_first + v_before - 1, p_quarantine => p_quarantine,
            p_reason => p_reason, p_actor => p_actor
        );
        perform gapless.block_end(v_counter.block_id, p_reason, p_actor);
        return v_count + gapless.epoch_fill(
            p_series_id => p_series_id, p_last => p_last, p_quarantine => p_quarantine,
            p_reason => p_reason, p_actor => p_actor, p_next_serial => p_next_serial
        );
    elsif v_astray then
        raise exception 'the last number that left series % has the serial %, which would not be recorded: '
                        'since the backup blocks ended early, were moved or loaded; do the same again '
                        '(gapless block close, move, load), then reconcile',
                        (select quote_literal(s.name) from gapless.series s where s.series_id = p_series_id),
                        p_next_serial - 1
            using errcode = 'GL014';
    end if;

    -- One INSERT: the ledger's trigger opens the blocks. A row has no more numbers than a request may ask
    -- for: lists write a row as a whole.
    perform gapless.ledger_insert(array(
        select gapless.ledger_entry(
            p_series_id => p_series_id, p_ordinal => r.ordinal + n, p_serial => r.serial + n,
            p_count => least(r.count - n, v_row_max)::integer, p_block_id => r.block_id,
            p_owner_id => v_owner_id, p_epoch => v_counter.epoch, p_issued_at => v_moment,
            p_reference => left(p_reason, 255), p_key => gen_random_uuid())
        from unnest(v_blocks, v_ordinals, v_serials, v_counts) as r (block_id, ordinal, serial, count)
        cross join lateral generate_series(0::bigint, r.count - 1, v_row_max) as n (n)
    ));

    v_count := v_fresh - v_first;
    if v_count > 0 and p_quarantine then
        -- Not through gapless.note_event, which raises while a move is prepared.
        perform gapless.record_event(
            p_series_id => p_series_id, p_kind => 'voided',
            p_numbers => gapless.change_state(
                p_series_id => p_series_id, p_numbers => int8multirange(int8range(v_first, v_fresh)),
                p_from => array['issued'], p_to => 'voided'
            ),
            p_actor => p_actor, p_reason => p_reason);
    end if;
    if v_count > 0 then
        perform gapless.audit(
            p_actor => p_actor,
            p_action => case when p_quarantine then 'epoch.quarantine' else 'epoch.recover' end,
            p_subject => gapless.series_name(p_series_id), p_before => null,
            p_after => jsonb_build_object(
                'first_ordinal', v_first::text, 'last_ordinal', (v_fresh - 1)::text, 'reason', p_reason
            )
        );
    end if;
    return v_count;
end;
$$;
