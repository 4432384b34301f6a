-- end_holds_of_block(p_series_id, p_block_id, p_reason, p_actor) -> nothing
--
-- Voids the held numbers of a block. Numbers of other blocks in the same holds stay held, and so do numbers
-- on lease: they may have been answered. The caller must have locked counter and tally; the block must be
-- used up or closed.
create or replace function gapless.end_holds_of_block(
    p_series_id integer, p_block_id integer, p_reason text, p_actor text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_numbers int8multirange;
    v_held    int8multirange;
begin
    select int8multirange(u.ordinals) into v_numbers
    from gapless.block b
    cross join lateral gapless.used_part(b) u
    where b.series_id = p_series_id and b.block_id = p_block_id;
    select range_agg(h.held * v_numbers) into v_held
    from (
        select h.held from gapless.hold h
        where h.series_id = p_series_id and not isempty(h.held) and h.held && v_numbers
          and h.expires_at < 'infinity'
        order by h.turn, h.ordinal
        for update
    ) h;
    if v_held is null then
        return;
    end if;
    update gapless.hold h set held = h.held - v_numbers, expired = h.expired + h.held * v_numbers
    where h.series_id = p_series_id and not isempty(h.held) and h.held && v_numbers
      and h.expires_at < 'infinity';
    perform gapless.record_event(
        p_series_id => p_series_id, p_kind => 'expired', p_numbers => v_held, p_actor => p_actor,
        p_reason => p_reason
    );
    perform gapless.give_back(
        p_series_id => p_series_id, p_numbers => v_held, p_policy => 'void', p_reason => p_reason,
        p_actor => p_actor
    );
end;
$$;
