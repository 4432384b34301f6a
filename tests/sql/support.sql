-- What the specs need beside the schema. isolationtester runs the setup of a spec before each of its permutations on one database.

-- forget_everything() -> nothing
--
-- For teardown: empties every table of gapless but the epoch, ids start at 1 again. As a superuser, past the append-only triggers.
create function forget_everything() returns void
language sql
set session_replication_role = replica
as $$
    truncate gapless.answered_request, gapless.audit_log, gapless.block, gapless.carrier, gapless.counter, gapless.issuance,
             gapless.ledger, gapless.series, gapless.token, gapless.token_owner
    restart identity;
$$;
