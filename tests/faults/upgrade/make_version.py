#!/usr/bin/env python3
"""Makes the SQL of a later version of gapless, for the upgrade drills.

  make_version.py VERSION FOLDER   writes FOLDER/embedded_sql.cpp and FOLDER/called_interfaces.cpp

next  expands: a column, a parameter and a column of answers more. What it supersedes lives on.
last  contracts: what next superseded is dropped, programs of before are not served any more.
"""
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[3]

# file of a room of sql/, what stands there once, what the next version has instead
NEXT = [
    ("interface.sql", "select 3, 1;", "select 4, 1;"),
    ("issue.sql", "reference text default null\n)\nreturns table (number text, ordinal bigint)",
     "reference text default null, station text default null\n)\n"
     "returns table (number text, ordinal bigint, block integer)"),
    ("issue.sql", "r.ordinal + n.n\n", "r.ordinal + n.n, r.block_id\n"),
    ("issue_plain.sql", "    p_known_turn    integer default 0",
     "    p_known_turn    integer default 0, p_stations text[] default null"),
    ("grants.sql", "gapless.issue(text, bigint, text, text)",
     "gapless.issue(text, bigint, text, text, text)"),
    ("grants.sql", "boolean, timestamptz,\n        integer, oid, bigint, integer",
     "boolean, timestamptz,\n        integer, oid, bigint, integer, text[]"),
]
LAST = [("interface.sql", "select 4, 1;", "select 4, 4;")]

# As CONTRIBUTING.md tells it.
EXPAND = """
alter table gapless.ledger add column station text;
do $$
begin
    if to_regprocedure('gapless.issue(text, bigint, text, text)') is not null then
        alter function gapless.issue(text, bigint, text, text) rename to issue_before_4;
        execute format('alter function %s rename to issue_plain_before_4',
                       'gapless.issue_plain'::regproc::oid::regprocedure);
    end if;
end;
$$;
"""
CONTRACT = """
drop function if exists gapless.issue_before_4, gapless.issue_plain_before_4;
"""

VERSIONS = {
    "next": (NEXT, {"0900_expand.sql": EXPAND}, (3, 4)),
    "last": (NEXT + LAST, {"0900_expand.sql": EXPAND, "0901_contract.sql": CONTRACT}, (4, 4)),
}


def change(folder, changes):
    for name, found, instead in changes:
        [file] = folder.rglob(name)
        text = file.read_text()
        assert text.count(found) == 1, f"{name}: {found!r} stands there {text.count(found)} times"
        file.write_text(text.replace(found, instead))


def listed(folder):
    return "|".join(str(file) for file in sorted(folder.rglob("*.sql")))


def main(version, target):
    changes, migrations, (oldest, newest) = VERSIONS[version]
    folder = pathlib.Path(target)
    for kind in ("migrations", "sql"):
        shutil.rmtree(folder / kind, ignore_errors=True)
        shutil.copytree(root / kind, folder / kind)
    change(folder / "sql", changes)
    for name, text in migrations.items():
        (folder / "migrations" / name).write_text(text)
    subprocess.run(["cmake", f"-DOUTPUT={folder / 'embedded_sql.cpp'}",
                    f"-DMIGRATIONS={listed(folder / 'migrations')}",
                    f"-DFUNCTIONS={listed(folder / 'sql')}",
                    "-P", root / "cmake/EmbedSql.cmake"], check=True)
    (folder / "called_interfaces.cpp").write_text(
        '#include "postgres/interface.hpp"\n\n'
        "gapless::interface_range gapless::called_interfaces() noexcept\n"
        f"{{\n    return {{{oldest}, {newest}}};\n}}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
