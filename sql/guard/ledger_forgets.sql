-- ledger_forgets() -> trigger on gapless.ledger: refuses every UPDATE, even the owner's, except that of
-- gapless.references_are_erased
--
-- Even there, allows only what erasing a reference changes. Raises 42501.
create or replace function gapless.ledger_forgets() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_due gapless.ledger;
    v_may boolean;
begin
    if tg_level = 'ROW' then
        v_due := old;
        v_due.reference := null;
        v_due.reference_salt := null;
        v_due.reference_digest := gapless.reference_digest(old.reference_salt, old.reference);
        v_may := old.reference is not null and new is not distinct from v_due;
    else
        v_may := exists (select from gapless.erasing); -- other transactions never see its rows
    end if;
    if not v_may then
        raise exception 'gapless.ledger is append-only: update is refused'
            using errcode = 'insufficient_privilege';
    end if;
    return new;
end;
$$;

create or replace trigger ledger_forgets_on_record before update on gapless.ledger
    for each statement execute function gapless.ledger_forgets();
create or replace trigger ledger_forgets_references_only before update on gapless.ledger
    for each row execute function gapless.ledger_forgets();
