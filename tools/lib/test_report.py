#!/usr/bin/env python3
"""Tells how a run of tools/test ended: what failed, how long it took, the slowest cases.

Usage: test_report.py RESULTS CASES BUILD_SECONDS TEST_SECONDS

RESULTS is ctest's JUnit file, CASES the folder in which each test program notes its cases (see
tests/main.cpp). Ends with 1 when a test or a case failed, or a case did not end.
"""
import pathlib
import sys
import xml.etree.ElementTree

slowest_max = 10
told_max = 4  # failures whose last words are shown: of a long run only the end may be kept
words_max = 12


def cases_of(path):
    """Yields (name, passed, failed or unfinished, seconds) of one program's notes."""
    begun = None
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition("\t")
        if word == "begin":
            begun = rest
        else:
            yield f"{path.name}: {begun}", word, float(rest)
            begun = None
    if begun is not None:
        yield f"{path.name}: {begun}", "unfinished", 0.0


def read_results(path):
    """-> [(test, whether it passed, failed or was skipped, seconds, what it said)]"""
    words = {"run": "passed", "fail": "failed"}
    return [(case.get("name"), words.get(case.get("status"), "skipped"), float(case.get("time", 0)),
             case.findtext("system-out") or "(nothing)")
            for case in xml.etree.ElementTree.parse(path).getroot().findall("testcase")]


def main(results, cases, build_seconds, test_seconds):
    programs = {path.name for path in pathlib.Path(cases).iterdir()}
    tests = read_results(results)
    ended = [case for path in sorted(pathlib.Path(cases).iterdir()) for case in cases_of(path)]
    broken = {name.partition(": ")[0] for name, how, _ in ended if how != "passed"}
    # A shard of a doctest program counts by its cases, any other test as one.
    whole = [test for test in tests if (shard := "-".join(test[0].split("/")[1:])) not in programs
             or test[1] == "failed" and shard not in broken]
    for name, _, _, said in [test for test in tests if test[1] == "failed"][:told_max]:
        print(f"\n{name} ended with:")
        print("\n".join("    " + line[:300] for line in said.strip().splitlines()[-words_max:]))
    ended += [(name, how, seconds) for name, how, seconds, _ in whole]
    bad = [(name, how) for name, how, _ in ended if how in ("failed", "unfinished")]
    print("".join(f"\n{how}: {name}" for name, how in bad))
    print("the slowest:")
    for name, how, seconds in sorted(ended, key=lambda case: -case[2])[:slowest_max]:
        print(f"  {seconds:6.1f} s  {name}")
    skipped = [name for name, how, _ in ended if how == "skipped"]
    print("".join(f"not run here: {name}\n" for name in skipped), end="")
    print(f"building took {build_seconds} s, testing {test_seconds} s")
    print(f"{sum(how == 'passed' for _, how, _ in ended)} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
