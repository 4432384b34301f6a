#!/usr/bin/env python3
"""Years in a small database: all of every day works, and reads no more than on its second day.

Filled by tools/fill, and measured in pages, which no busy machine changes.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "tests"), str(root / "tools")]
from harness import database as databases  # noqa: E402
from filllib.acts import ACTS, measure  # noqa: E402
from filllib.filling import Size, fill  # noqa: E402
from filllib.psql import admin, ask  # noqa: E402
from filllib.report import facts  # noqa: E402
from filllib.running import young  # noqa: E402

years = Size(numbers=200_000, rows=40_000, series=3, blocks=120, days=60, holds=20, seal_rows=100,
             seed=7)
sessions = 2
# An index grows by a level, halving takes some more steps. A scan of what grew would be hundreds.
pages_more_max = 40
pages_factor_max = 1.5


def grown(before, after):
    """-> what looked at more pages than its age excuses"""
    return [f"{name}: {before[name]['pages']} pages on the second day, {after[name]['pages']} now"
            for name, _, _ in ACTS
            if after[name]["pages"] > pages_factor_max * before[name]["pages"] + pages_more_max]


def records(url):
    """What is in it, without its size, which autovacuum changes."""
    return {name: value for name, value in facts(url).items() if name != "size"}


def main():
    with databases.new_database("young", ()) as beside, databases.new_database("years", ()) as url:
        fill(beside, young(years), sessions)
        fill(url, years, sessions)
        there = records(url)
        assert there["numbers"] >= 150_000 and there["rows"] >= years.rows, there
        fill(url, years, sessions)
        assert records(url) == there, "filled again, it did not stay as it was"
        admin(url, "verify", "--chain")
        for each in (beside, url):
            ask(each, "select gapless.consumption_gather(10000)")  # as a service has done by then
            ask(each, "vacuum (analyze)")
        found = grown(measure(beside, 2), measure(url, 2))
        print("\n".join(found) or f"{len(ACTS)} acts look at no more than on the second day")
        ask(url, "drop index gapless.printed_events, gapless.printed_numbers")
        assert any("manifest" in words for words in grown(measure(beside, 2), measure(url, 2))), \
            "that a manifest reads all events would not be noticed"
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
