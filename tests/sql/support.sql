-- What the specs need beside the schema: isolationtester runs the setup of a spec before each of
-- its permutations, all on one database.

-- forget_everything() -> nothing
--
-- For teardown, as a superuser and past the append-only triggers: empties every table of gapless but
-- the epoch; ids start at 1 again.
create function forget_everything() returns void
language sql
set session_replication_role = replica
as $$
    truncate gapless.answered_request, gapless.audit_log, gapless.block, gapless.carrier,
             gapless.counter, gapless.issuance, gapless.ledger, gapless.series, gapless.token,
             gapless.token_owner
    restart identity;
$$;
