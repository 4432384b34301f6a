-- references_are_erased() -> trigger on gapless.erasing, where gapless.erase_references inserts the places of
-- ledger rows
--
-- The only place where a ledger row ever changes: removes text and salt of the named rows' references and
-- leaves the digest. The ledger allows that while the row in gapless.erasing exists, that is, while this
-- trigger runs: it deletes the row at the end of the inserting statement. So a manual insert only carries out
-- an erasure on record. Raises GL008 for an erasure that is not on record, GL020 if the rows do not change.
create or replace function gapless.references_are_erased() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set jit = off -- the estimates for an always empty table would switch it on
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
