# Checks docs/reports/failures.md: every test that it names exists, every failure of the list has
# one row, and each row names a test or says that nothing shows it.
import re

from harness.processes import root
from torturelib.all_cases import CASES

# The list of failures, by the letter of its rows.
ROWS = {
    "G": [range(1, 8)],
    "P": [range(0, 17)],
    "F": [range(1, 24), range(30, 41), range(50, 71), range(80, 88)],
    "S": [range(1, 17), range(20, 36), range(40, 48), range(50, 55), range(60, 68)],
    "N": [range(1, 31)],
    "R": [range(1, 16)],
}
NOTHING = "**Nothing shows it**"


def existing():
    """Names as the page writes them."""
    names = {f"torture {name}" for name in CASES}
    names |= {f"specs {file.stem}" for file in (root / "tests/specs").glob("*.spec")}
    fuzzed = (root / "tests/fuzz").glob("*_fuzz.cpp")
    names |= {f"fuzz {file.stem.removesuffix('_fuzz')}" for file in fuzzed}
    registered = (root / "tests/CMakeLists.txt").read_text()
    names |= {f"specs {name}" for name in re.findall(r'NAME "specs/(\w+)"', registered)}
    for items, folder in re.findall(r"foreach\(\w+ IN ITEMS\s([^)]*)\)(?:(?!foreach).)*?"
                                    r'NAME "(guard|rules)/\$\{', registered, re.DOTALL):
        names |= {f"{folder} {name}" for name in items.split()}
    drills = r"(?:gapless_add_drills(?:_of\(\w+ (\w+) |\()\w+|set\(live_restores)\s([^)]*)\)"
    for kind, given in re.findall(drills, registered):
        names |= {f"{kind or 'drills'} {name}" for name in given.split()}
    for file in (root / "tests").rglob("*.cpp"):
        text = re.sub(r'"\s*\n\s*"', "", file.read_text())
        suite = re.search(r'TEST_SUITE\("([^"]*)"\)', text)
        cases = re.findall(r'TEST_CASE\w*\(\s*(?:[\w:<>]+,\s*)?"([^"]*)"', text)
        names |= {f"{suite.group(1) if suite else ''}: {case}" for case in cases}
    return names


def expected_rows():
    # P01 and P04 are of the list of quiet mistakes, whose letter was taken.
    return ["P01", "P04"] + [f"{letter}{number:02}" if letter in "FSNR" else f"{letter}{number}"
            for letter, parts in ROWS.items() for part in parts for number in part]


def check_rows(text):
    """What is wrong with the rows, in words."""
    rows = re.findall(r"^\| ([GPFSNR]\d+) \|(.*)$", text, re.MULTILINE)
    names = [name for name, _ in rows]
    wrong = [f"failures.md has no row {name}" for name in expected_rows() if name not in names]
    wrong += [f"failures.md has a row {name}, which no list has"
              for name in names if name not in expected_rows()]
    wrong += [f"failures.md has {row} twice" for row in set(names) if names.count(row) > 1]
    wrong += [f"failures.md says of {name} neither what shows it nor that nothing does"
              for name, rest in rows if "`" not in rest.rsplit("|", 2)[1] and NOTHING not in rest]
    return wrong


def check():
    """-> (named tests, what is wrong in words)"""
    text = (root / "docs/reports/failures.md").read_text().partition("## Promises")[2]
    named = re.findall(r"`([^`]+)`", text)
    known = existing()
    wrong = [f"failures.md names no test that exists: {n}" for n in named if n not in known]
    wrong += check_rows(text)
    shown = re.findall(r"^\| ([NR]\d+) \|.*`torture \1`", text, re.MULTILINE)
    wrong += [f"failures.md does not name the case in the row {name}"
              for name in CASES if name[0] in "NR" and name not in shown]
    return len(named), wrong
