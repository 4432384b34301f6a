-- give_back(p_series_id, p_numbers, p_policy, p_reason, p_actor) -> nothing
--
-- Disposes of held numbers that were released or expired. 'reissue' makes them free, so that they are issued
-- before any new ones, lowest first; 'void' voids them with p_reason. Numbers of blocks that have ended
-- (gapless.ordinals_of_ended_blocks) are voided in any case. The caller must have locked counter and tally.
create or replace function gapless.give_back(
    p_series_id integer, p_numbers int8multirange, p_policy text, p_reason text, p_actor text
)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_void int8multirange := case
        when p_policy = 'void' then p_numbers
        else p_numbers * gapless.ordinals_of_ended_blocks(p_series_id, p_numbers)
        end;
    v_free int8multirange := p_numbers - v_void;
begin
    if not isempty(v_void) then
        perform gapless.change_state(
            p_series_id => p_series_id, p_numbers => v_void, p_from => array['held', 'free'], p_to => 'voided'
        );
        perform gapless.record_event(
            p_series_id => p_series_id, p_kind => 'voided', p_numbers => v_void, p_actor => p_actor,
            p_reason => p_reason
        );
    end if;
    if not isempty(v_free) then
        perform gapless.change_state(
            p_series_id => p_series_id, p_numbers => v_free, p_from => array['held'], p_to => 'free'
        );
        update gapless.counter c set waiting = c.waiting + gapless.size_of(v_free)
        where c.series_id = p_series_id;
    end if;
end;
$$;
