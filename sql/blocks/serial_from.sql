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
    v_at     bigint := p_last;
    v_number text;
begin
    loop
        v_number := gapless.format_number(p_program, v_at);
        if length(v_number) < v_length or length(v_number) = v_length and v_number collate "C" < p_number then
            if v_at = p_last then
                return null;
            end if;
            p_first := v_at + 1;
        else
            p_last := v_at;
        end if;
        exit when p_first >= p_last;
        v_at := p_first + (p_last - p_first) / 2;
    end loop;
    return p_last;
end;
$$;
