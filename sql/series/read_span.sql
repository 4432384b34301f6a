-- read_span(p_text) -> the interval, such as '12 months'; null for null
--
-- Raises GL017 out-of-range if the text is not an interval, or one that is zero or negative.
create or replace function gapless.read_span(p_text text) returns interval
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_span interval;
begin
    begin
        v_span := p_text::interval;
    exception
        when data_exception then -- any 22xxx: not a span, or beyond what fits
            raise exception '% is no span of time; write it like 12 months, or 90 days', quote_literal(p_text)
                using errcode = 'GL017';
    end;
    if v_span <= interval '0' then
        raise exception 'a span of time is longer than nothing, % is not', quote_literal(p_text)
            using errcode = 'GL017';
    end if;
    return v_span;
end;
$$;
