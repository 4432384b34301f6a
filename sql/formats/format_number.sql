-- format_number(p_program, p_serial) -> text
-- The number of a serial, made by the program of its series (to_program in
-- src/formats/number_program.hpp, where the members of a program are described).
-- Refuses nothing: the serial was checked against the width when its block was loaded.
-- Takes no lock.
create or replace function gapless.format_number(p_program jsonb, p_serial bigint)
returns text
language plpgsql
immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
    v_digits text := '';
    v_rest bigint := p_serial;
    v_number text;
    v_check jsonb := p_program -> 'check';
    v_body bytea;
    v_length integer;
    v_values text;
    v_weights integer[];
    v_weight_count integer;
    v_from_right boolean;
    v_mod integer;
    v_sum integer;
    v_value integer;
    v_character text;
begin
    if p_program -> 'base' = '10' then
        v_digits := p_serial::text;
    else
        loop
            v_digits := substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (v_rest % 36)::integer + 1, 1)
                        || v_digits;
            v_rest := v_rest / 36;
            exit when v_rest = 0;
        end loop;
    end if;
    -- lpad would truncate a wider serial; greatest keeps every digit.
    v_digits := lpad(v_digits, greatest((p_program ->> 'width_min')::integer, length(v_digits)), '0');
    v_number := (p_program ->> 'head') || v_digits || (p_program ->> 'tail');
    if jsonb_typeof(v_check) = 'null' then
        return v_number;
    end if;

    v_body := convert_to((v_check ->> 'head') || v_digits || (v_check ->> 'tail'), 'SQL_ASCII');
    v_length := length(v_body);
    case v_check ->> 'kernel'
        when 'wsum' then
            select array_agg(weight.value::integer order by weight.place)
            into v_weights
            from jsonb_array_elements_text(v_check -> 'weights')
                 with ordinality as weight(value, place);
            v_weight_count := cardinality(v_weights);
            v_from_right := v_check ->> 'from' = 'right';
            v_values := v_check ->> 'values';
            v_sum := (v_check ->> 'start')::integer;
            for v_at in 0 .. v_length - 1 loop
                v_value := get_byte(v_body, v_at);
                v_value := case
                    when v_values = 'ascii' then v_value
                    when v_value <= 57 then v_value - 48
                    when v_values = 'ups' then (v_value - 63) % 10
                end;
                v_sum := v_sum + v_value * v_weights[
                    1 + (case when v_from_right then v_length - 1 - v_at else v_at end)
                        % v_weight_count];
            end loop;
            v_sum := v_sum % (v_check ->> 'mod')::integer;
            v_character := substr(v_check ->> 'results', v_sum + 1, 1);
        when 'luhn' then
            v_sum := 0;
            for v_at in 0 .. v_length - 1 loop
                v_value := get_byte(v_body, v_at) - 48;
                if (v_length - v_at) % 2 = 1 then
                    v_value := v_value * 2;
                    if v_value > 9 then
                        v_value := v_value - 9;
                    end if;
                end if;
                v_sum := v_sum + v_value;
            end loop;
            v_character := substr(v_check ->> 'results', v_sum % 10 + 1, 1);
        when 'mod' then
            v_sum := 0;
            v_mod := (v_check ->> 'mod')::integer;
            for v_at in 0 .. v_length - 1 loop
                v_sum := (v_sum * 10 + get_byte(v_body, v_at) - 48) % v_mod;
            end loop;
            v_character := substr(v_check ->> 'results', v_sum + 1, 1);
        when 'iso7064' then
            v_mod := length(v_check ->> 'alphabet');
            v_sum := v_mod;
            for v_at in 0 .. v_length - 1 loop
                v_value := get_byte(v_body, v_at);
                v_value := case when v_value <= 57 then v_value - 48 else v_value - 55 end;
                v_sum := (v_sum + v_value) % v_mod;
                if v_sum = 0 then
                    v_sum := v_mod;
                end if;
                v_sum := v_sum * 2 % (v_mod + 1);
            end loop;
            v_character := substr(v_check ->> 'alphabet', (v_mod + 1 - v_sum) % v_mod + 1, 1);
    end case;
    return replace(v_number, '?', v_character);
end;
$$;
