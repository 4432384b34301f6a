#!/usr/bin/python3
"""Tests the page in Debian's Chromium, on a real service and a real PostgreSQL.

  page.py acts [--language en-GB|de-DE] [--width 375|1280] [--hand mouse|keyboard] [--only NAME]
  page.py trouble|meanwhile|limits|looks|wall|trial [the same]

GAPLESS_TEST_DATABASE_URL is the server, as a superuser. Ends with 77 where Chromium, its driver,
selenium or (for looks) axe-core are not to be had.
"""
import argparse
import contextlib
import pathlib
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

try:
    import browser as browsers
except ImportError as absent:
    print(f"not run: {absent}")
    sys.exit(77)

import acts  # noqa: E402
import acts_admin  # noqa: E402, F401  # adds its own
import limits  # noqa: E402
import looks  # noqa: E402
import meanwhile  # noqa: E402
import trial  # noqa: E402
import trouble  # noqa: E402
from desk import new_desk  # noqa: E402
from harness.processes import Failure  # noqa: E402
from person import Person  # noqa: E402
from words import WORDS  # noqa: E402

not_run = 77
said_characters = 250  # of what a failure says, at the end


def parse():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("part", choices=["acts", "trouble", "meanwhile", "limits", "looks",
                                         "wall", "trial"])
    options.add_argument("--language", default="en-GB", choices=sorted(WORDS))
    options.add_argument("--width", type=int, default=1280, choices=sorted(browsers.heights))
    options.add_argument("--hand", default="mouse", choices=sorted(browsers.HANDS))
    options.add_argument("--dark", action="store_true")
    options.add_argument("--only", default="", help="of names that match")
    return options.parse_args()


@contextlib.contextmanager
def new_person(desk, options, page=None):
    """Somebody who has opened the page."""
    with contextlib.ExitStack() as stack:
        downloads = stack.enter_context(tempfile.TemporaryDirectory(prefix="gapless-page-"))
        opened = browsers.Browser(options.language, options.width, downloads, options.dark)
        stack.callback(opened.close)
        hand = browsers.HANDS[options.hand](opened)
        opened.open(page or desk.page)
        person = Person(desk, opened, hand, WORDS[options.language])
        person.downloads = pathlib.Path(downloads)
        yield person


def perform(person, steps, *more):
    """Each step, by name -> how many went wrong; these are told again at the end."""
    wrong = []
    for step in steps:
        begun = time.monotonic()
        try:
            step(person, *more)
            if faults := person.browser.faults():
                raise Failure(f"the browser complains: {faults}")
            said = "ok"
        except Exception as failure:  # a browser has many ways to say no
            said = f"FAILED: {type(failure).__name__}: {failure}"
            wrong.append(f"{step.__name__}: {said[:said_characters]}")
            with contextlib.suppress(Exception):
                person.browser.run("document.querySelector('dialog')?.close()")
        print(f"{step.__name__} ({time.monotonic() - begun:.1f} s): {said}", flush=True)
    for each in wrong:
        print(" ".join(each.split()))
    return len(wrong)


def chosen(steps, options):
    return [step for step in steps if re.search(options.only, step.__name__)]


def run_acts(desk, options):
    with new_person(desk, options) as person:
        person.sign_in()
        return perform(person, chosen(acts.ACTS, options))


def run_trouble(desk, options, steps=trouble.TROUBLE):
    way = trouble.on_losing_way(desk)
    try:
        with new_person(desk, options, way.page) as person:
            person.way = way
            person.sign_in()
            return perform(person, chosen(steps, options))
    finally:
        way.close()


def run_meanwhile(desk, options):
    return run_trouble(desk, options, meanwhile.MEANWHILE)


def run_limits(desk, options):
    with new_person(desk, options) as person:
        return perform(person, chosen(limits.LIMITS, options))


def run_looks(desk, options):
    axe, why = looks.read_axe()
    if not axe:
        print(f"not run: {why}")
        return not_run
    desk.use_up()
    with new_person(desk, options) as person:
        return perform(person, [looks.see_what_is_wrong, looks.look_at_views], axe)


def run_wall(desk, options):
    options.width = 3840
    desk.use_up()
    with new_person(desk, options) as person:
        return perform(person, [looks.look_from_afar])


def run_trial(desk, options):
    with new_person(desk, options) as person:
        person.sign_in()
        return perform(person, [trial.load_as_people_do])


def main():
    options = parse()
    if absent := browsers.missing():
        print(f"not run: {', '.join(absent)} is not installed")
        return not_run
    run = {"acts": run_acts, "trouble": run_trouble, "meanwhile": run_meanwhile,
           "limits": run_limits, "looks": run_looks, "wall": run_wall,
           "trial": run_trial}[options.part]
    with new_desk() as desk:
        wrong = run(desk, options)
        if wrong == not_run:
            return not_run
        if findings := desk.findings():
            print(f"verify finds\n{findings}")
            return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
