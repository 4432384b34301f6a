#!/usr/bin/env python3
"""Changes sealed records by hand, each change with every guard and constraint off, and asks the
chain and the anchors.

An auditor who only read the description gets the same hashes. Then every field of every record
that is sealed is changed, one after the other, and chain_tamperings.sql is done. Nothing stays.
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import auditor, database  # noqa: E402

# Which columns of a table are sealed: all, but what lives on after a record was made. What becomes
# of a block is proved by ledger and audit log, what is set of a series stands in the audit log.
# For which tables an epoch was opened says nothing of numbers, and one that is changed fences.
tables = {
    "ledger": set(),
    "issuance": set(),
    "number_event": set(),
    "audit_log": set(),
    "token_owner": set(),
    "epoch": {"ledger_oid", "counter_oid"},
    "seal": set(),
    "block": {"position", "state", "first_ordinal", "closed_serial", "closed_reason",
              "recalled_at"},
    "series": {"on_release", "on_expiry", "low_water", "reuse_after", "version",
               "reserve_numbers", "drill_until", "paused_reason", "paused_by", "paused_at"},
}

# Another value of the same type.
changes = {
    "integer": "coalesce({0}, 0) + 1",
    "bigint": "coalesce({0}, 0) + 1",
    "oid": "({0}::bigint + 1)::oid",
    # Where there is one it keeps its length, which is sealed beside it.
    "text": "coalesce(regexp_replace({0}, '.$', case right({0}, 1) when '~' then '-' else '~' end),"
            " '') || case when coalesce({0}, '') = '' then 'x' else '' end",
    "boolean": "not {0}",
    "uuid": "gen_random_uuid()",
    "bytea": "sha256(coalesce({0}, ''))",
    "jsonb": "coalesce({0}, '{{}}') || '{{\"x\": 1}}'",
    "timestamp with time zone": "coalesce({0}, now()) + interval '1 us'",
    "ARRAY": "{0} || {0}[1]",
}

support = """
create function chain_findings(p_anchors jsonb) returns text language sql as $$
    select string_agg(f.line, '; ') from (
        select format('series %s %s: %s', s.name, f ->> 'at', f ->> 'what') as line
        from (
            select 0 as series_id, '*' as name union all select series_id, name from gapless.series
        ) s
        cross join lateral gapless.verify_chain(s.series_id) v
        cross join lateral jsonb_array_elements(v.findings) f
        where p_anchors is null
        union all
        select format('series %s %s: %s', a.series, a.at, a.what)
        from gapless.verify_anchors(p_anchors) a
    ) f
$$;
create function reseal() returns void language plpgsql as $$
declare
    v_series integer;
begin
    for v_series in select series_id from gapless.unsealed() loop
        while gapless.seal(v_series, 5) loop
            null;
        end loop;
    end loop;
end
$$;
create function drop_constraints() returns void language plpgsql as $$
declare
    v record;
begin
    for v in
        select conrelid::regclass as place, conname from pg_constraint
        where connamespace = 'gapless'::regnamespace and contype <> 't'
        order by contype = 'f' desc, contype = 'p'
    loop
        execute format('alter table %s drop constraint %I cascade', v.place, v.conname);
    end loop;
    -- Without these two the database is fenced: they stand by name.
    alter table gapless.ledger add constraint key_is_spent_once check (true),
        add constraint range_starts_once check (true);
    for v in
        select attrelid::regclass as place, attname from pg_attribute
        where attrelid = any ('{gapless.epoch,gapless.seal}'::regclass[])
          and attnotnull and attnum > 0
    loop
        execute format('alter table %s alter column %I drop not null', v.place, v.attname);
    end loop;
    for v in
        select indexrelid::regclass as name from pg_stat_user_indexes where schemaname = 'gapless'
    loop
        execute format('drop index %s', v.name);
    end loop;
end
$$;
"""

# Two texts, one of numbers that were issued twice.
erase = """
select gapless.erase_references(
    gapless.erasure_begin('s', null, r, 'asked for', 'test'), r, 0, 0, 100)
from unnest(array['order 5', 'order 9']) as r;
"""

# No constraint is in the way; what an attempt changed, its transaction takes back.
attempt = """
begin;
set local session_replication_role = replica;
{statement}
set local session_replication_role = origin;
select 'said: ' || coalesce(chain_findings(null), 'nothing');
select 'said: ' || coalesce(chain_findings('{anchors}'), 'nothing');
rollback;
"""


class drill:
    """A life that was sealed and anchored, and what was found after each change to it."""

    def __init__(self, url):
        self.url = url
        self.changes = []  # statement, by whom it has to be found, what has to be said
        self.anchors = self.heads()
        if len(json.loads(self.anchors)) != 5:
            sys.exit(f"not every chain has a head: {self.anchors}")

    def heads(self):
        heads = "select coalesce(jsonb_agg(to_jsonb(h) || jsonb_build_object('place', 'anchors',"
        heads += " 'database', h.database_id, 'hash', encode(h.hash, 'hex'))), '[]')"
        return database.psql(self.url, heads + " from gapless.seal_heads() h;")

    def expect_clean(self, when):
        """Chain, anchors, and an auditor who only read the description."""
        clean = "select chain_findings(null) is null and chain_findings('{}') is null;"
        if database.psql(self.url, clean.format(self.anchors)) != "t":
            sys.exit(f"broken {when}")
        for series_id in (0, 1, 2, 3):
            links = auditor.chain(self.url, series_id)
            if not links or any(computed != stored for computed, stored in links):
                sys.exit(f"series {series_id} is hashed otherwise than it is described: {links}")

    def change(self, statement, by, expected):
        """by: 'chain' when the chain alone has to find it, 'anchor' when only an anchor can."""
        self.changes.append((statement, by, expected))

    def make_changes(self):
        """How many were found; in one session, which plans the functions once."""
        found = 0
        database.psql(self.url, "set client_min_messages = error; select from drop_constraints();")
        attempts = [attempt.format(statement=statement, anchors=self.anchors)
                    for statement, _, _ in self.changes]
        printed = database.psql(self.url, "".join(attempts), seconds_max=300).splitlines()
        seen = iter(line.removeprefix("said: ") for line in printed if line.startswith("said: "))
        for (statement, by, expected), chain, anchor in zip(self.changes, seen, seen, strict=True):
            said = {"chain": chain, "anchor": anchor}[by]
            if said != "nothing" and expected in said and (by == "chain" or chain == "nothing"):
                found += 1
                continue
            print(f"{statement}\n    expected: {by}: {expected}\n    chain:    {chain}\n"
                  f"    anchors:  {anchor}")
        return found

    def change_every_field(self):
        for table, living in tables.items():
            columns = database.psql(self.url, f"""
                select column_name, data_type from information_schema.columns
                where table_schema = 'gapless' and table_name = '{table}';""")
            rows = database.psql(self.url, f"select ctid from gapless.{table};").splitlines()
            if not rows:
                sys.exit(f"gapless.{table} is empty: there is nothing to change")
            for column, kind in (line.split("|") for line in columns.splitlines()):
                if column in living:
                    continue
                value = changes[kind].format(column)
                # All rows would take minutes.
                for row in {rows[0], rows[len(rows) // 2], rows[-1], *self.erased(table)}:
                    self.change(
                        f"alter table gapless.{table}"
                        f" alter column {column} drop identity if exists;\n"
                        f"update gapless.{table} set {column} = {value} where ctid = '{row}';",
                        "chain", "")

    def erased(self, table):
        """A row whose reference was erased."""
        if table != "ledger":
            return []
        return database.psql(self.url, "select ctid from gapless.ledger"
                             " where reference_digest is not null limit 1;").splitlines()

    def change_as_written(self):
        statement = []
        for line in (database.support / "chain_tamperings.sql").read_text().splitlines():
            by, _, expected = line.removeprefix("-- ").partition(": ")
            if line.startswith("-- ") and by in ("chain", "anchor"):
                self.change("\n".join(statement), by, expected)
                statement = []
            elif line and not line.startswith("--"):
                statement.append(line)


def main():
    with database.new_database("chain", ("support.sql", "life.sql")) as url:
        database.psql(url, "select gapless.block_close(6, 'the carrier took it back', 'test');")
        # So that no field is empty in all of the records that are changed.
        database.psql(url, "set session_replication_role = replica;"
                      " update gapless.ledger set reference = 'order ' || ordinal,"
                      " reference_salt = gen_random_uuid();"
                      " update gapless.block set reference = 'letter ' || block_id;")
        database.psql(url, support + "select from reseal();")
        tampering = drill(url)
        tampering.expect_clean("before anybody touched it")
        # What was sealed and anchored before an erasure proves what is left after it.
        if database.psql(url, erase).splitlines() != ["(1,,,f)", "(2,,,f)"]:
            sys.exit("references were erased otherwise than expected")
        tampering.expect_clean("by erasing references")
        database.psql(url, "select from reseal();")
        tampering.anchors = tampering.heads()
        tampering.expect_clean("when it was sealed after an erasure")
        tampering.change_every_field()
        tampering.change_as_written()
        found = tampering.make_changes()
        tampering.expect_clean("by something that stayed")
    tried = len(tampering.changes)
    print(f"{found} of {tried} were found")
    return 0 if found == tried > 100 else 1


if __name__ == "__main__":
    sys.exit(main())
