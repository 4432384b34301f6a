-- serial_from(p_program, p_first, p_last, p_number) -> the lowest serial of p_first…p_last whose number is
-- not before p_number, or null
--
-- In the order of serials: shorter numbers first, those of one length by character. Halves the range, up to
-- 63 times.
create or replace function gapless.serial_from(
    p_program jsonb, p_first bigint, p_last bigint, p_number text
)
returns bigint
language plpgsql
immutable strict
set search_path = pg_catalog, pg_temp
as $$
declare
    v_length integer := length(p_number);
    v_number text := gapless.format_number(p_program, p_first);
    v_at     bigint;
begin
    -- The ends first: most ranges stand beside each other.
    if (length(v_number), v_number collate "C") >= (v_length, p_number) then
        return p_first;
    end if;
    v_number := gapless.format_number(p_program, p_last);
    if (length(v_number), v_number collate "C") < (v_length, p_number) then
        return null;
    end if;
    -- Not before p_number: p_last, but not p_first.
    while p_last - p_first > 1 loop
        v_at := p_first + (p_last - p_first) / 2;
        v_number := gapless.format_number(p_program, v_at);
        if (length(v_number), v_number collate "C") < (v_length, p_number) then
            p_first := v_at;
        else
            p_last := v_at;
        end if;
    end loop;
    return p_last;
end;
$$;
