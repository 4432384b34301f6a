#!/usr/bin/env python3
"""Changes the life of numbers by hand, each change with every guard off, and asks verify.

life.sql is the life, tamperings.sql, block_tamperings.sql and lease_tamperings.sql what is done to
it and what has to be found. Nothing stays.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import database  # noqa: E402

attempt = """
do $tampering$
declare
    v_found text;
begin
    perform set_config('session_replication_role', '{role}', true);
    execute $statement${statement}$statement$;
    perform set_config('session_replication_role', 'origin', true);
    select string_agg(series || ' ' || at || ': ' || what, '; ') into v_found from gapless.verify();
    raise exception 'found %', coalesce(v_found, 'nothing') using errcode = 'GL999';
exception
    when sqlstate 'GL999' then perform set_config('test.outcome', sqlerrm, false);
    when integrity_constraint_violation or insufficient_privilege then
        perform set_config('test.outcome', 'refused ' || sqlerrm, false);
end;
$tampering$;
select current_setting('test.outcome');
"""


def read_tamperings():
    """Pairs of a statement and what is expected of it, in the order of the files."""
    statement, cases = [], []
    files = [database.support / name for name in
             ("tamperings.sql", "block_tamperings.sql", "lease_tamperings.sql")]
    for line in "".join(file.read_text() for file in files).splitlines():
        if line.startswith(("-- finds: ", "-- refused", "-- guarded")):
            cases.append(("\n".join(statement), line.removeprefix("-- ")))
            statement = []
        elif line and not line.startswith("--"):
            statement.append(line)
    return cases


def is_as_expected(outcome, expected):
    if not expected.startswith("finds: "):
        return outcome.startswith("refused ")
    parts = expected.removeprefix("finds: ").split("|")
    return outcome.startswith("found ") and any(part in outcome for part in parts)


def main():
    cases = read_tamperings()
    wrong = 0
    with database.new_database("tampered", ("support.sql", "life.sql")) as url:
        before = database.findings(url)
        if before:
            sys.exit(f"broken before anybody touched it: {before}")
        # In one session, which plans the functions of verify once.
        attempts = [attempt.format(role="origin" if expected == "guarded" else "replica",
                                   statement=statement) for statement, expected in cases]
        outcomes = database.psql(url, "".join(attempts), seconds_max=300).splitlines()
        for (statement, expected), outcome in zip(cases, outcomes, strict=True):
            if not is_as_expected(outcome, expected):
                wrong += 1
                print(f"{statement}\n    expected: {expected}\n    outcome:  {outcome}")
        if database.findings(url):
            sys.exit("something of it stayed")
    print(f"{len(cases) - wrong} of {len(cases)} were found or refused")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
