-- erasable_references(p_series, p_before, p_reference) -> how many ledger rows of the series have such a
-- reference
--
-- Counts rows issued before a moment (p_before), or answered from a reserve before it, however late they were
-- settled; or with exactly this text (p_reference). Exactly one of the two must be given. Raises GL005
-- unknown-series, GL017 for neither or both, or a moment that is not in the past. Takes no lock.
create or replace function gapless.erasable_references(p_series text, p_before timestamptz, p_reference text)
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
    v_series_id integer;
begin
    v_series_id := gapless.series_id_of(p_series);
    if (p_before is null) = (p_reference is null) then
        raise exception 'either a moment or a reference says what is erased' using errcode = 'GL017';
    end if;
    if p_before > clock_timestamp() then
        raise exception 'references of numbers that are issued until % cannot be erased yet',
            gapless.moment(p_before)
            using errcode = 'GL017';
    end if;
    if p_reference is not null then
        return (
            select count(*)
            from gapless.ledger l
            where l.series_id = v_series_id and l.reference = p_reference
        );
    end if;
    return (select count(*) from gapless.ledger l
            where l.series_id = v_series_id and l.reference is not null
              and (
                  l.issued_at < p_before
                      or l.turn > 0 and exists (
                          select
                          from gapless.lease_record k
                          where k.series_id = l.series_id and k.ordinal = l.ordinal and k.turn = l.turn
                            and k.answered_at < p_before
                      )
              ));
end;
$$;
