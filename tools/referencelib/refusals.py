# docs/reference/refusals.md: names, statuses, SQLSTATEs and exit codes; when, is written by hand.
import re

from referencelib.page import KeyedTable, must

ROW = re.compile(r'row\{(\w+),\s*"([^"]+)",\s*"([^"]+)"\}')


def read(root, name):
    return (root / name).read_text(encoding="utf-8")


def rows_of(root):
    """-> (kind, name, title) of the table in src/base/refusal.cpp"""
    return must(ROW.findall(read(root, "src/base/refusal.cpp")), "the table of refusals")


def cases_of(root, name, value):
    """-> {kind: value} of the switch over refusal kinds in a file"""
    found, waiting = {}, []
    for line in read(root, name).splitlines():
        if case := re.search(r"case refusal_kind::(\w+):", line):
            waiting.append(case[1])
        if returned := re.search(rf"return {value};", line):
            found |= dict.fromkeys(waiting, returned[1])
            waiting = []
    return must(found, f"the switch over refusals in {name}")


def states_of(root):
    """-> {name: SQLSTATE} of what SQL raises; transaction_test.cpp compares it with C++"""
    return {name: state for state, name in must(
        re.findall(r"\('(GL\d+)', '([a-z-]+)'\)", read(root, "sql/postgres/sql_states.sql")),
        "the table of SQLSTATEs")}


def places(root):
    statuses = cases_of(root, "src/http/problem.cpp", r"(\d+)")
    values = dict(re.findall(r"^    (\w+) = (\d+),", read(root, "src/cli/exit_code.hpp"),
                             re.MULTILINE))
    codes = cases_of(root, "src/cli/failure.cpp", r"exit_code::(\w+)")
    states = states_of(root)
    columns = ["Refusal", "Status", "SQLSTATE", "Exit code", "Title", "When"]
    return {"refusals": KeyedTable(columns, [
        [f"`{name}`", statuses[kind], states.get(name, "–"), values[codes[kind]], title]
        for kind, name, title in rows_of(root)])}
