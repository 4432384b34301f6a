-- references_are_erased() -> trigger on gapless.erasing, when gapless.erase_references names ledger rows
-- there
--
-- The only place where a ledger row ever changes: takes text and salt of the named rows' references away and
-- leaves the digest. The ledger lets that pass while the row here exists, which is while this trigger works:
-- it goes with the statement that put it in. So whoever puts one in by hand has done an erasure, on record,
-- and nothing else. Raises GL008 for an act that is not on record, GL020 where the rows do not change.
create or replace function gapless.references_are_erased() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set jit = off -- of which the estimates of a table that is always empty would make use
as $$
declare
    v_erased bigint;
begin
    if not exists (
        select from gapless.audit_log a
        join gapless.series s on s.name = a.subject
        where a.audit_id = new.audit_id and a.action = 'reference.erase' and s.series_id = new.series_id
    ) then
        raise exception 'no erasure of this series is on record as %', new.audit_id using errcode = 'GL008';
    end if;
    update gapless.ledger l
    set reference = null, reference_salt = null,
        reference_digest = gapless.reference_digest(l.reference_salt, l.reference)
    where l.ctid = any (new.places) and l.series_id = new.series_id;
    get diagnostics v_erased = row_count;
    perform gapless.expect_rows(v_erased, cardinality(new.places), 'ledger');
    delete from gapless.erasing e where e.series_id = new.series_id;
    return null;
end;
$$;

create or replace trigger references_are_erased after insert on gapless.erasing
    for each row execute function gapless.references_are_erased();
