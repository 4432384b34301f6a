# Checks that every test which docs/failures.md names exists, and that each neighbour has its row.
import re

from benchlib.cluster import root
from torturelib.all_cases import CASES


def existing():
    """Names as the page writes them."""
    names = {f"torture {name}" for name in CASES}
    names |= {f"specs {file.stem}" for file in (root / "tests/sql/specs").glob("*.spec")}
    fuzzed = (root / "tests/fuzz").glob("*_fuzz.cpp")
    names |= {f"fuzz {file.stem.removesuffix('_fuzz')}" for file in fuzzed}
    registered = (root / "tests/CMakeLists.txt").read_text()
    names |= {f"specs {name}" for name in re.findall(r'NAME "specs/(\w+)"', registered)}
    drills = "".join(file.read_text() for file in (root / "tests/drills").glob("*_drills.py"))
    names |= {f"drills {name}" for name in re.findall(r"^def (\w+)\(drill\)", drills, re.MULTILINE)}
    for file in (root / "tests").rglob("*.cpp"):
        text = re.sub(r'"\s*\n\s*"', "", file.read_text())
        suite = re.search(r'TEST_SUITE\("([^"]*)"\)', text)
        cases = re.findall(r'TEST_CASE\w*\(\s*(?:[\w:<>]+,\s*)?"([^"]*)"', text)
        names |= {f"{suite.group(1) if suite else ''}: {case}" for case in cases}
    return names


def check():
    """-> (named tests, what is wrong in words)"""
    text = (root / "docs/failures.md").read_text().partition("## An issuance")[2]
    named = re.findall(r"`([^`]+)`", text)
    known = existing()
    wrong = [f"docs/failures.md names a test that does not exist: {n}"
             for n in named if n not in known]
    rows = re.findall(r"^\| ([PFN]\d+) \|", text, re.MULTILINE)
    wrong += [f"docs/failures.md has {row} twice" for row in set(rows) if rows.count(row) > 1]
    shown = re.findall(r"^\| (N\d+) \|.*`torture \1`", text, re.MULTILINE)
    wrong += [f"docs/failures.md does not name the case in the row {name}"
              for name in CASES if name.startswith("N") and name not in shown]
    return len(named), wrong
